import {
  aggregateErrors,
  collectErrors,
  type FieldError,
  fieldErrorTexts,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  required,
  textAt,
  textsAt,
} from '../../meta/index.ts';
import type { StructSchema } from '../../schema/index.ts';
import { ConfigurationFileError, listOf, readConfigurationFile, struct, text } from './configuration-file.ts';
import { apiVersionOf, type KmsConfig, kmsConfigOf, kmsErrors, timeoutOf, timeoutProblem } from './kms-config.ts';

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

/** A provider with keys in the configuration. */
export interface KeyProvider {
  readonly type: 'identity' | 'aesgcm' | 'aescbc' | 'secretbox';
  /** The first key encrypts. Empty for `identity`. */
  readonly keys: readonly { readonly name: string; readonly secret: Uint8Array }[];
}

export type EncryptionProvider = KeyProvider | { readonly type: 'kms'; readonly kms: KmsConfig };

const keysOf = (name: string): StructSchema => struct(name, { keys: listOf(struct('Key', { name: text, secret: text })) });
const kmsShape = struct('KMSConfiguration', {
  apiVersion: text,
  name: text,
  cachesize: { form: 'scalar', type: 'int32' },
  endpoint: text,
  timeout: text,
});
const provider = struct('ProviderConfiguration', {
  aesgcm: keysOf('AESConfiguration'),
  aescbc: keysOf('AESConfiguration'),
  secretbox: keysOf('SecretboxConfiguration'),
  identity: struct('IdentityConfiguration', {}),
  kms: kmsShape,
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
  for (const config of rules.flatMap((rule) => objectsAt(rule, 'providers')).filter(isKms)) {
    const problem = timeoutProblem(recordAt(config, 'kms'));
    if (problem !== undefined) throw parseError(`error decoding encryption provider configuration file ${file}: ${problem}`);
  }
  const errors = validateRules(rules);
  if (errors.length > 0) throw parseError(aggregateErrors(fieldErrorTexts(errors)));
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

const isKms = (config: JsonObject): boolean => isJsonObject(config['kms']);

const kmsV1Refusal =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

/** @throws EncryptionConfigError for a KMS v1 provider, which only a deprecated feature gate of the real server permits */
function providerOf(config: JsonObject): EncryptionProvider {
  const type = providerNames.find((name) => isJsonObject(config[name])) ?? 'identity';
  if (type === 'kms') {
    const kms = recordAt(config, 'kms');
    if (apiVersionOf(kms) === 'v1') throw new EncryptionConfigError(`error while building transformers: ${kmsV1Refusal}`);
    return { type, kms: kmsConfigOf(kms) };
  }
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
  const kmsNames = new Set<string>();
  return collectErrors(rules, (rule, index) => {
    const [resourcesPath, providersPath] = [`resources[${index}].resources`, `resources[${index}].providers`];
    const [resources, providers] = [textsAt(rule, 'resources'), objectsAt(rule, 'providers')];
    return [
      ...(resources.length === 0 ? [required(resourcesPath, atLeastOne(resourcesPath))] : []),
      ...overlapErrors(resources, resourcesPath),
      ...collectErrors(resources, (resource, at) => resourceNameErrors(resource, `${resourcesPath}[${at}]`)),
      ...(providers.length === 0 ? [required(providersPath, atLeastOne(providersPath))] : []),
      ...collectErrors(providers, (one, at) => providerErrors(one, `${providersPath}[${at}]`, kmsNames)),
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

/** Adds the name of a KMS provider to `kmsNames`. */
function providerErrors(config: JsonObject, path: string, kmsNames: Set<string>): readonly FieldError[] {
  const given = providerNames.filter((name) => isJsonObject(config[name]));
  const [first] = given;
  if (first === undefined) {
    const detail = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
    return [invalid(path, internalForm(config), detail)];
  }
  const several = 'more than one provider specified in a single element, should split into different list elements';
  const errors = given.length > 1 ? [invalid(path, internalForm(config), several)] : [];
  const provider = recordAt(config, first);
  if (first === 'kms') {
    errors.push(...kmsErrors(provider, `${path}.kms`, kmsNames));
    kmsNames.add(textAt(provider, 'name'));
  } else if (first !== 'identity') {
    errors.push(...keysErrors(objectsAt(provider, 'keys'), `${path}.${first}.keys`, first === 'secretbox' ? [32] : [16, 24, 32]));
  }
  return errors;
}

/** A provider as Go encodes its internal type. */
function internalForm({ aesgcm, aescbc, secretbox, identity, kms }: JsonObject): JsonObject {
  const keysOf = (provider: Json | undefined): Json =>
    isJsonObject(provider) ? { Keys: 'keys' in provider ? objectsAt(provider, 'keys').map(internalKey) : null } : null;
  return {
    AESGCM: keysOf(aesgcm),
    AESCBC: keysOf(aescbc),
    Secretbox: keysOf(secretbox),
    Identity: isJsonObject(identity) ? {} : null,
    KMS: isJsonObject(kms)
      ? {
          APIVersion: apiVersionOf(kms),
          Name: textAt(kms, 'name'),
          CacheSize: kms['cachesize'] ?? (apiVersionOf(kms) === 'v1' ? 1_000 : null),
          Endpoint: textAt(kms, 'endpoint'),
          Timeout: timeoutOf(kms),
        }
      : null,
  };
}

const internalKey = (key: JsonObject): JsonObject => ({ Name: textAt(key, 'name'), Secret: textAt(key, 'secret') });

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
