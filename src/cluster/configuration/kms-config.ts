import {
  DurationError,
  type FieldError,
  formatDuration,
  invalid,
  type JsonObject,
  parseDuration,
  parseUrl,
  required,
  textAt,
  UrlError,
} from '../../meta/index.ts';

/** A KMS v2 provider: a plugin at a unix socket encrypts the keys that encrypt the values. */
export interface KmsConfig {
  readonly name: string;
  /** `unix:///path` */
  readonly endpoint: string;
  readonly timeoutMs: number;
}

const defaultTimeout = '3s';

export const apiVersionOf = (config: JsonObject): string => textAt(config, 'apiVersion') || 'v1';

export const timeoutOf = (config: JsonObject): string => textAt(config, 'timeout') || defaultTimeout;

/** The config was validated. */
export function kmsConfigOf(config: JsonObject): KmsConfig {
  const timeoutMs = Number(parseDuration(timeoutOf(config)) / 1_000_000n);
  return { name: textAt(config, 'name'), endpoint: textAt(config, 'endpoint'), timeoutMs };
}

/** Go's message of an invalid timeout, which decoding the file reports. */
export function timeoutProblem(config: JsonObject): string | undefined {
  try {
    parseDuration(timeoutOf(config));
    return undefined;
  } catch (error) {
    if (error instanceof DurationError) return error.message;
    throw error;
  }
}

/** `usedNames`: the names of the providers before it. Cf. k8s.io/apiserver validation_encryption.go, validateKMSConfiguration. */
export function kmsErrors(config: JsonObject, path: string, usedNames: ReadonlySet<string>): readonly FieldError[] {
  const version = apiVersionOf(config);
  return [
    ...nameErrors(textAt(config, 'name'), `${path}.name`, version, usedNames),
    ...timeoutErrors(timeoutOf(config), `${path}.timeout`),
    ...endpointErrors(textAt(config, 'endpoint'), `${path}.endpoint`),
    ...cacheSizeErrors(config['cachesize'], `${path}.cachesize`, version),
    // The message has the name of the field instead of its value.
    ...(['v1', 'v2'].includes(version)
      ? []
      : [invalid(`${path}.apiVersion`, version, 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported')]),
  ];
}

function nameErrors(name: string, path: string, version: string, usedNames: ReadonlySet<string>): readonly FieldError[] {
  const isV1 = version === 'v1';
  const withColon = `invalid KMS provider name ${name}, must not contain ':'`;
  const duplicate = `duplicate KMS provider name ${name}, names must be unique`;
  return [
    ...(name === '' ? [required(path, 'name is a mandatory field for a provider')] : []),
    ...(!isV1 && name.includes(':') ? [invalid(path, name, withColon)] : []),
    ...(!isV1 && usedNames.has(name) ? [invalid(path, name, duplicate)] : []),
  ];
}

function timeoutErrors(timeout: string, path: string): readonly FieldError[] {
  const nanos = parseDuration(timeout);
  return nanos > 0n ? [] : [invalid(path, formatDuration(nanos), 'timeout should be a positive value')];
}

function endpointErrors(endpoint: string, path: string): readonly FieldError[] {
  if (endpoint === '') return [invalid(path, '', 'endpoint is a mandatory field for a kms')];
  try {
    const { scheme } = parseUrl(endpoint);
    if (scheme === 'unix') return [];
    return [invalid(path, endpoint, `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`)];
  } catch (error) {
    if (error instanceof UrlError) return [invalid(path, endpoint, `invalid endpoint for kms provider, error: ${error.message}`)];
    throw error;
  }
}

function cacheSizeErrors(size: JsonObject[string], path: string, version: string): readonly FieldError[] {
  if (size === undefined || size === null) return [];
  if (version !== 'v1') return [invalid(path, size, 'cachesize is not supported in v2')];
  return size === 0 ? [invalid(path, size, 'cachesize should be a positive value, or negative to disable')] : [];
}
