import type { JsonObject } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { array, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';

const resource = builtInResource('networking.k8s.io/v1', 'ingresses', 'Ingress');
/** The start of `host/path=svc:port[,tls[=secret]]`; kubectl does not check the rest. */
const rulePattern = /^[\w.*-]*\/.*=[\w-]+:[\w-]+/;

export const ingress: Command = {
  flags: {
    ...generatorFlags,
    annotation: array(),
    class: text(),
    'default-backend': text(),
    rule: array(),
  },
  run: async (call) => createAndPrint(call, { resource, object: await buildIngress(call), failure: 'failed to create ingress: ' }),
};

async function buildIngress(call: Call): Promise<JsonObject> {
  const name = await completeCreation(call);
  const { flags } = call;
  const rules = flags.list('rule');
  const backend = flags.text('default-backend');
  if (rules.length === 0 && backend === '') {
    throw new KubectlError(
      'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    );
  }
  for (const rule of rules) {
    if (!rulePattern.test(rule))
      throw new KubectlError(`rule ${rule} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  }
  const annotations = flags.list('annotation').map((one) => {
    const cut = one.indexOf('=');
    if (cut < 0) throw new KubectlError(`annotation ${one} is invalid and should be in format key=[value]`);
    return [one.slice(0, cut), one.slice(cut + 1)] as const;
  });
  if (backend !== '' && backend.split(':').length !== 2)
    throw new KubectlError('default-backend should be in format servicename:serviceport');
  const metadata = { name, ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}) };
  const tls = buildTls(rules);
  const spec = {
    ...(flags.text('class') === '' ? {} : { ingressClassName: flags.text('class') }),
    ...(backend === '' ? {} : { defaultBackend: buildBackend(...(backend.split(':') as [string, string])) }),
    ...(tls.length > 0 ? { tls } : {}),
    ...(rules.length > 0 ? { rules: buildRules(rules) } : {}),
  };
  return buildObject(resource, metadata, { spec, status: { loadBalancer: {} } });
}

function buildBackend(name: string, port: string): JsonObject {
  return { service: { name, port: /^-?\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

interface Rule {
  readonly host: string;
  readonly path: string;
  readonly service: string;
  readonly port: string;
  /** Undefined without TLS. */
  readonly secret: string | undefined;
}

function parseRule(rule: string): Rule {
  const [target = '', tls, ...more] = rule.split(',');
  const slash = target.indexOf('/');
  const [path = '', backend = ''] = target.slice(slash).split('=');
  const [service = '', port = ''] = backend.split(':');
  const secret = tls === undefined || more.length > 0 ? undefined : (tls.split('=')[1] ?? '');
  return { host: target.slice(0, slash), path, service, port, secret };
}

function buildRules(rules: readonly string[]): JsonObject[] {
  const byHost = new Map<string, JsonObject[]>();
  for (const rule of rules) {
    const { host, path: typed, service, port } = parseRule(rule);
    const prefix = typed.endsWith('*');
    const path = prefix ? typed.slice(0, -1) : typed;
    byHost.set(host, [...(byHost.get(host) ?? []), { path, pathType: prefix ? 'Prefix' : 'Exact', backend: buildBackend(service, port) }]);
  }
  return [...byHost].map(([host, paths]) => ({ ...(host === '' ? {} : { host }), http: { paths } }));
}

/** A host counts in its first rule only. Cf. kubectl buildTLSRules. */
function buildTls(rules: readonly string[]): JsonObject[] {
  const seen = new Set<string>();
  const bySecret = new Map<string, string[]>();
  for (const { host, secret } of rules.map(parseRule)) {
    if (secret === undefined || seen.has(host)) continue;
    seen.add(host);
    const hosts = bySecret.get(secret);
    if (hosts) hosts.push(host);
    else if (host !== '' || secret !== '') bySecret.set(secret, host === '' ? [] : [host]);
  }
  return [...bySecret].map(([secretName, hosts]) => ({
    ...(hosts.length > 0 ? { hosts } : {}),
    ...(secretName === '' ? {} : { secretName }),
  }));
}
