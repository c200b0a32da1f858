import { existsSync } from 'node:fs';
import { ConfigurationFileError, decodeConfiguration, listOf, struct, text } from '../../../cluster/index.ts';
import {
  aggregateErrors,
  duplicate,
  type FieldError,
  fieldErrorTexts,
  invalid,
  type JsonObject,
  notListed,
  objectsAt,
  type Product,
  recordAt,
  required,
  textAt,
} from '../../../meta/index.ts';
import { convertToFlagError, FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

const tlsConfig = struct('TLSConfig', { caBundle: text, clientKey: text, clientCert: text });
const transport = struct('Transport', {
  tcp: struct('TCPTransport', { url: text, tlsConfig }),
  uds: struct('UDSTransport', { udsName: text }),
});
const selection = struct('EgressSelection', { name: text, connection: struct('Connection', { proxyProtocol: text, transport }) });
const configuration = {
  kinds: {
    'apiserver.k8s.io/v1beta1': 'EgressSelectorConfiguration',
    'apiserver.k8s.io/v1alpha1': 'EgressSelectorConfiguration',
  },
  shape: struct('EgressSelectorConfiguration', { kind: text, apiVersion: text, egressSelections: listOf(selection) }),
  strict: true,
};

/**
 * Validates the file of `--egress-selector-config-file`; connections are always direct here. Cf. k8s.io/apiserver server/egressselector
 * config.go. @throws FlagError
 */
export async function checkEgressSelector(path: string, product: Product): Promise<void> {
  if (path === '') return;
  const lead = 'failed to read egress selector config:';
  const content = await readNamedFile(
    path,
    (why) => `${lead} unable to read egress selector configuration from ${JSON.stringify(path)} [${why}]`,
  );
  const decode = (): JsonObject => decodeConfiguration(content, { ...configuration, product });
  const selections = objectsAt(
    convertToFlagError(decode, ConfigurationFileError, (why) => `${lead} ${why}`),
    'egressSelections',
  );
  const errors = [
    ...selections.flatMap(({ connection }) => connectionProblems(connection as JsonObject | undefined)),
    ...nameProblems(selections),
  ];
  if (errors.length === 0) return;
  throw new FlagError(`failed to validate egress selector configuration: ${aggregateErrors(fieldErrorTexts(errors))}`);
}

const at = 'service.connection';

function connectionProblems(connection: JsonObject | undefined): readonly FieldError[] {
  const protocol = textAt(connection, 'proxyProtocol');
  const given = connection?.['transport'] as JsonObject | undefined;
  switch (protocol) {
    case 'Direct':
      return given ? [invalid(`${at}.transport`, 'direct', 'config must be absent for direct connect')] : [];
    case 'HTTPConnect':
      return given ? httpProblems(given) : [required(`${at}.transport`, 'transport must be set for HTTPConnect')];
    case 'GRPC':
      if (!given) return [required(`${at}.transport`, 'transport must be set for GRPC')];
      return given['uds'] ? socketProblems(recordAt(given, 'uds')) : [required(`${at}.uds`, 'UDS must be set with GRPC')];
    default:
      return [notListed(`${at}.protocol`, protocol, ['Direct', 'HTTPConnect', 'GRPC'])];
  }
}

function httpProblems({ tcp, uds }: JsonObject): readonly FieldError[] {
  if (tcp && uds) return [invalid(`${at}.tcp`, tcp, 'TCP and UDS cannot both be set')];
  if (tcp) return addressProblems(tcp as JsonObject);
  return uds ? socketProblems(uds as JsonObject) : [required(`${at}.tcp`, 'One of TCP or UDS must be set')];
}

function socketProblems(socket: JsonObject): readonly FieldError[] {
  return textAt(socket, 'udsName') === '' ? [invalid(`${at}.udsName`, 'nil', 'must be present for UDS connections')] : [];
}

function addressProblems(tcp: JsonObject): readonly FieldError[] {
  const url = textAt(tcp, 'url');
  const tls = tcp['tlsConfig'] as JsonObject | undefined;
  if (url.startsWith('https://'))
    return tls ? tlsProblems(tls) : [required(`${at}.tlsConfig`, 'TLSConfig must be present when using HTTPS')];
  if (!url.startsWith('http://')) return [invalid(`${at}.url`, url, 'supported connection protocols are http:// and https://')];
  return tls ? [invalid(`${at}.tlsConfig`, 'nil', 'config must not be present when using HTTP')] : [];
}

function tlsProblems(tls: JsonObject): readonly FieldError[] {
  const files: readonly (readonly [member: string, what: string, missing: string])[] = [
    ['caBundle', 'TLS config ca bundle', ''],
    ['clientCert', 'TLS client cert', 'Using TLS requires clientCert'],
    ['clientKey', 'TLS client key', 'Using TLS requires requires clientKey'],
  ];
  return files.flatMap(([member, what, missing]) => {
    const path = textAt(tls, member);
    const field = `${at}.tlsConfig.${member}`;
    if (path === '') return missing === '' ? [] : [invalid(field, 'nil', missing)];
    return existsSync(path) ? [] : [invalid(field, path, `${what} does not exist`)];
  });
}

const names: readonly string[] = ['cluster', 'controlplane', 'etcd'];

function nameProblems(selections: readonly JsonObject[]): readonly FieldError[] {
  const canonical = selections.map((one) => textAt(one, 'name').toLowerCase());
  return canonical.flatMap((name, index) => {
    if (canonical.indexOf(name) < index) return [duplicate(`${at}[${index}]`, name)];
    return names.includes(name) ? [] : [notListed(at, name, names)];
  });
}
