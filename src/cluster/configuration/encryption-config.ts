import {
  aggregateErrors,
  collectErrors,
  type FieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  required,
  textAt,
  textsAt,
} from '../../meta/index.ts';
import { ConfigurationFileError, listOf, readConfigurationFile, struct, text } from './configuration-file.ts';

/** An invalid `--encryption-provider-config`. The message is the real server's. */
export class EncryptionConfigError extends Error {
  override readonly name = 'EncryptionConfigError';
}

/** How the values of some resources are encrypted: with the first provider, and decrypted with any of them. */
export interface EncryptionRule {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group), `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

export interface EncryptionProvider {
  readonly type: 'identity' | 'aesgcm' | 'aescbc' | 'secretbox';
  /** The first key encrypts. Empty for `identity`. */
  readonly keys: readonly { readonly name: string; readonly secret: Uint8Array }[];
}

const keys = struct('AESConfiguration', { keys: listOf(struct('Key', { name: text, secret: text })) });
const kms = struct('KMSConfiguration', {
  apiVersion: text,
  name: text,
  cachesize: { form: 'scalar', type: 'int32' },
  endpoint: text,
  timeout: text,
});
const provider = struct('ProviderConfiguration', {
  aesgcm: keys,
  aescbc: keys,
  secretbox: keys,
  identity: struct('IdentityConfiguration', {}),
  kms,
});
const shape = struct('EncryptionConfiguration', {
  kind: text,
  apiVersion: text,
  resources: listOf(struct('ResourceConfiguration', { resources: listOf(text), providers: listOf(provider) })),
});

const providerNames = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'] as const;

/** Parses and validates the file at `path` as the real server does. @throws EncryptionConfigError */
export function readEncryptionConfig(content: string, path: string, product: Product): readonly EncryptionRule[] {
  const file = JSON.stringify(path);
  if (content === '') throw parseError(`error while loading file: encryption provider configuration file ${file} is empty`);
  const rules = objectsAt(readFile(content, file, product), 'resources');
  const errors = validateRules(rules);
  if (errors.length > 0) throw parseError(aggregateErrors(errors.map(({ field, message }) => `${field}: ${message}`)));
  refuseMaskedResources(rules);
  return rules.map((rule) => ({ resources: textsAt(rule, 'resources'), providers: objectsAt(rule, 'providers').map(providerOf) }));
}

function parseError(message: string, cause?: unknown): EncryptionConfigError {
  return new EncryptionConfigError(`error while parsing file: ${message}`, { cause });
}

function readFile(content: string, file: string, product: Product): JsonObject {
  try {
    return readConfigurationFile(content, { kind: 'EncryptionConfiguration', shape, product });
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw parseError(`error decoding encryption provider configuration file ${file}: ${error.message}`, error);
  }
}

/** @throws EncryptionConfigError for a KMS provider, which this server cannot call */
function providerOf(config: JsonObject): EncryptionProvider {
  const type = providerNames.find((name) => isJsonObject(config[name])) ?? 'identity';
  if (type === 'kms') throw new EncryptionConfigError('error while building transformers: KMS providers are not supported');
  const all = objectsAt(recordAt(config, type), 'keys');
  return { type, keys: all.map((key) => ({ name: textAt(key, 'name'), secret: decodeBase64(textAt(key, 'secret')) ?? new Uint8Array() })) };
}

function decodeBase64(value: string): Uint8Array | undefined {
  const compact = value.replace(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(compact), (character) => character.charCodeAt(0));
}

const atLeastOne = (what: string): string => `at least one ${what} is required`;

/** Cf. k8s.io/apiserver apis/apiserver/validation/validation_encryption.go. */
function validateRules(rules: readonly JsonObject[]): readonly FieldError[] {
  if (rules.length === 0) return [required('resources', atLeastOne('resources'))];
  return collectErrors(rules, (rule, index) => {
    const [resourcesPath, providersPath] = [`resources[${index}].resources`, `resources[${index}].providers`];
    const [resources, providers] = [textsAt(rule, 'resources'), objectsAt(rule, 'providers')];
    return [
      ...(resources.length === 0 ? [required(resourcesPath, atLeastOne(resourcesPath))] : []),
      ...overlapErrors(resources, resourcesPath),
      ...collectErrors(resources, (resource, at) => resourceNameErrors(resource, `${resourcesPath}[${at}]`)),
      ...(providers.length === 0 ? [required(providersPath, atLeastOne(providersPath))] : []),
      ...collectErrors(providers, (one, at) => providerErrors(one, `${providersPath}[${at}]`)),
    ];
  });
}

function parseGroupResource(resource: string): { readonly name: string; readonly group: string } {
  const at = resource.indexOf('.');
  return at < 0 ? { name: resource, group: '' } : { name: resource.slice(0, at), group: resource.slice(at + 1) };
}

function overlapErrors(resources: readonly string[], path: string): readonly FieldError[] {
  const parsed = resources.map(parseGroupResource);
  const pairs = parsed.flatMap((one, index) => parsed.filter((_, other) => other !== index).map((other) => [one, other] as const));
  const isSame = ([a, b]: (typeof pairs)[number]): boolean => a.name === b.name && a.group === b.group;
  const overlaps = ([a, b]: (typeof pairs)[number]): boolean =>
    (a.name === '*' && a.group === '*') || (a.group === b.group && (a.name === '*' || b.name === '*'));
  const masked = "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  return [
    ...(pairs.some(isSame) ? [invalid(path, resources, 'the same resource cannot be specified multiple times')] : []),
    ...(pairs.some((pair) => !isSame(pair) && overlaps(pair)) ? [invalid(path, resources, masked)] : []),
  ];
}

const withoutApi: ReadonlySet<string> = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

function resourceNameErrors(resource: string, path: string): readonly FieldError[] {
  const { name, group } = parseGroupResource(resource);
  const wrong = (detail: string): readonly FieldError[] => [invalid(path, resource, detail)];
  if (resource.toLowerCase() !== resource) return wrong('resource name should not contain capital letters');
  if (resource === '*') return wrong("use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources");
  if (withoutApi.has(resource)) return wrong('resources which do not have REST API/s cannot be encrypted');
  if (group === 'events.k8s.io')
    return wrong("'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file");
  if (group === 'extensions') return wrong("'extensions' group has been removed and cannot be used for encryption");
  return group === '*' && name !== '*' ? wrong('encrypting the same resource across groups is not supported') : [];
}

function providerErrors(config: JsonObject, path: string): readonly FieldError[] {
  const given = providerNames.filter((name) => isJsonObject(config[name]));
  const [first] = given;
  if (first === undefined) {
    const detail = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
    return [invalid(path, config, detail)];
  }
  const several = 'more than one provider specified in a single element, should split into different list elements';
  const errors = given.length > 1 ? [invalid(path, config, several)] : [];
  if (first === 'kms' || first === 'identity') return errors;
  return [
    ...errors,
    ...keysErrors(objectsAt(recordAt(config, first), 'keys'), `${path}.${first}.keys`, first === 'secretbox' ? [32] : [16, 24, 32]),
  ];
}

function keysErrors(all: readonly JsonObject[], path: string, sizes: readonly number[]): readonly FieldError[] {
  if (all.length === 0) return [required(path, atLeastOne('keys'))];
  return collectErrors(all, (key, index) => {
    const at = `${path}[${index}]`;
    const unnamed = textAt(key, 'name') === '' ? [required(`${at}.name`, 'name is a mandatory field for a key')] : [];
    return [...unnamed, ...secretErrors(textAt(key, 'secret'), `${at}.secret`, sizes)];
  });
}

function secretErrors(secret: string, path: string, sizes: readonly number[]): readonly FieldError[] {
  if (secret === '') return [required(path, 'secret is a mandatory field for a key')];
  const bytes = decodeBase64(secret);
  if (!bytes) return [invalid(path, 'REDACTED', 'secrets must be base64 encoded')];
  if (sizes.includes(bytes.length)) return [];
  return [invalid(path, 'REDACTED', `secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(' ')}]`)];
}

/** A rule for all resources, or all of a group, hides later rules. @throws EncryptionConfigError */
function refuseMaskedResources(rules: readonly JsonObject[]): void {
  const earlier = new Set<string>();
  for (const resource of rules.flatMap((rule) => textsAt(rule, 'resources'))) {
    for (const mask of [`*.${parseGroupResource(resource).group}`, '*.*']) {
      if (earlier.has(mask)) {
        const message = `resource ${JSON.stringify(resource)} is masked by earlier rule ${JSON.stringify(mask)}`;
        throw new EncryptionConfigError(`error while building transformers: ${message}`);
      }
    }
    earlier.add(resource);
  }
}
