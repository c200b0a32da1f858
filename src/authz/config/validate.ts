import type { Environment } from '../../cel/index.ts';
import {
  DurationError,
  duplicate,
  type FieldError,
  fieldErrorTexts,
  formatDuration,
  invalid,
  isDns1123Subdomain,
  isJsonObject,
  type JsonObject,
  notSupported,
  objectsAt,
  parseDuration,
  recordAt,
  required,
  textAt,
  tooMany,
} from '../../meta/index.ts';
import { compileCondition, MatchConditionError, matchEnvironment } from '../webhook/match-conditions.ts';
import { AuthorizationConfigError, type AuthorizerSettings, authorizerTypes, type WebhookSettings } from './settings.ts';

/** Returns the error in a referenced file, or undefined. */
export type FileProblem = (path: string) => string | undefined;

const maxConditions = 64;
const maxTimeoutNanos = 30_000_000_000n;
const defaultTtls = { authorizedTTL: '5m0s', unauthorizedTTL: '30s' } as const;

/**
 * Reads a decoded AuthorizationConfiguration (part 5.6 rule 8).
 * Cf. upstream apis/apiserver/validation ValidateAuthorizationConfiguration. @throws AuthorizationConfigError
 */
export function readAuthorizationConfiguration(configuration: JsonObject, fileProblem: FileProblem): readonly AuthorizerSettings[] {
  const authorizers = objectsAt(configuration, 'authorizers');
  const errors = authorizers.length > 0 ? authorizerErrors(authorizers, fileProblem) : [];
  if (authorizers.length === 0) errors.push(required('authorizers', 'at least one authorization mode must be defined'));
  throwIfInvalid(fieldErrorTexts(errors));
  throwIfInvalid(authorizers.flatMap(nameMismatches));
  return authorizers.map(settingsOf);
}

function throwIfInvalid(problems: readonly string[]): void {
  const unique = [...new Set(problems)];
  if (unique.length > 0) throw new AuthorizationConfigError(unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`);
}

/** Authorizers other than webhooks must be named for their type. */
function nameMismatches(authorizer: JsonObject): readonly string[] {
  const [type, name] = [textAt(authorizer, 'type'), textAt(authorizer, 'name')];
  const expected = type.toLowerCase();
  return type === 'Webhook' || name === expected ? [] : [`expected name ${expected} for authorizer ${type} instead of ${name}`];
}

function authorizerErrors(authorizers: readonly JsonObject[], fileProblem: FileProblem): FieldError[] {
  const [seenTypes, seenNames] = [new Set<string>(), new Set<string>()];
  return authorizers.flatMap((authorizer, index): readonly FieldError[] => {
    const path = `authorizers[${index}]`;
    const [type, name] = [textAt(authorizer, 'type'), textAt(authorizer, 'name')];
    if (type === '') return [required(`${path}.type`, '')];
    if (!authorizerTypes.some((known) => known === type)) return [notSupported(`${path}.type`, type, authorizerTypes)];
    if (seenTypes.has(type) && type !== 'Webhook') return [duplicate(`${path}.type`, type)];
    seenTypes.add(type);
    const errors = nameErrors(name, seenNames, `${path}.name`);
    seenNames.add(name);
    const webhook = authorizer['webhook'];
    if (type !== 'Webhook') {
      return isJsonObject(webhook)
        ? [...errors, invalid(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook')]
        : errors;
    }
    if (!isJsonObject(webhook)) return [...errors, required(`${path}.webhook`, 'required when type=Webhook')];
    return [...errors, ...webhookErrors(webhook, path, fileProblem)];
  });
}

function nameErrors(name: string, seen: ReadonlySet<string>, path: string): readonly FieldError[] {
  if (name === '') return [required(path, '')];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = isDns1123Subdomain(name);
  return problems.length === 0 ? [] : [invalid(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

/** Reports webhook fields under the path of the authorizer, as upstream does. */
function webhookErrors(webhook: JsonObject, path: string, fileProblem: FileProblem): readonly FieldError[] {
  const conditions = objectsAt(webhook, 'matchConditions');
  return [
    ...timeoutErrors(nanosAt(webhook, 'timeout', '0s'), `${path}.timeout`),
    ...(['authorizedTTL', 'unauthorizedTTL'] as const).flatMap((field) => ttlErrors(ttlAt(webhook, field), `${path}.${field}`)),
    ...choiceErrors(webhook, 'subjectAccessReviewVersion', ['v1', 'v1beta1'], path),
    ...conditionVersionErrors(webhook, conditions.length > 0, path),
    ...choiceErrors(webhook, 'failurePolicy', ['NoOpinion', 'Deny'], path),
    ...connectionErrors(recordAt(webhook, 'connectionInfo'), `${path}.connectionInfo`, fileProblem),
    ...conditionErrors(conditions, `${path}.matchConditions`),
  ];
}

function timeoutErrors(nanos: bigint, path: string): readonly FieldError[] {
  if (nanos === 0n) return [required(path, '')];
  return nanos > maxTimeoutNanos || nanos < 0n ? [invalid(path, formatDuration(nanos), 'must be > 0s and <= 30s')] : [];
}

function ttlErrors(nanos: bigint, path: string): readonly FieldError[] {
  return nanos < 0n ? [invalid(path, formatDuration(nanos), 'must be > 0s')] : [];
}

function choiceErrors(object: JsonObject, field: string, choices: readonly string[], path: string): readonly FieldError[] {
  const value = textAt(object, field);
  if (value === '') return [required(`${path}.${field}`, '')];
  return choices.includes(value) ? [] : [notSupportedUnsorted(`${path}.${field}`, value, choices)];
}

/** Upstream does not sort these values. */
function notSupportedUnsorted(field: string, value: string, choices: readonly string[]): FieldError {
  const list = choices.map((choice) => JSON.stringify(choice)).join(', ');
  return { reason: 'FieldValueNotSupported', field, message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}` };
}

function conditionVersionErrors(webhook: JsonObject, hasConditions: boolean, path: string): readonly FieldError[] {
  const field = 'matchConditionSubjectAccessReviewVersion';
  if (textAt(webhook, field) !== '') return choiceErrors(webhook, field, ['v1'], path);
  return hasConditions ? [required(`${path}.${field}`, 'required if match conditions are specified')] : [];
}

function connectionErrors(connection: JsonObject, path: string, fileProblem: FileProblem): readonly FieldError[] {
  const [type, file] = [textAt(connection, 'type'), textAt(connection, 'kubeConfigFile')];
  const at = `${path}.kubeConfigFile`;
  switch (type) {
    case '':
      return [required(`${path}.type`, '')];
    case 'InClusterConfig':
      return typeof connection['kubeConfigFile'] === 'string' ? [invalid(at, file, 'can only be set when type=KubeConfigFile')] : [];
    case 'KubeConfigFile': {
      if (file === '') return [required(at, '')];
      if (!file.startsWith('/')) return [invalid(at, file, 'must be an absolute path')];
      const problem = fileProblem(file);
      return problem === undefined ? [] : [invalid(at, file, problem)];
    }
    default:
      return [
        {
          ...notSupportedUnsorted(`${path}.type`, type, ['InClusterConfig', 'KubeConfigFile']),
          message: `Unsupported value: ${formatConnection(type, connection)}: supported values: "InClusterConfig", "KubeConfigFile"`,
        },
      ];
  }
}

/** Upstream prints the whole struct here. */
function formatConnection(type: string, { kubeConfigFile }: JsonObject): string {
  return JSON.stringify({ Type: type, KubeConfigFile: kubeConfigFile ?? null });
}

function conditionErrors(conditions: readonly JsonObject[], path: string): readonly FieldError[] {
  if (conditions.length === 0) return [];
  if (conditions.length > maxConditions) return [tooMany(path, conditions.length, maxConditions)];
  const environment = matchEnvironment();
  const seen = new Set<string>();
  return conditions.flatMap((condition, index): readonly FieldError[] => {
    const at = `${path}[${index}].expression`;
    const expression = textAt(condition, 'expression');
    if (expression.trim() === '') return [required(at, '')];
    if (seen.has(expression)) return [duplicate(at, expression)];
    seen.add(expression);
    return compileErrors(expression, at, environment);
  });
}

function compileErrors(expression: string, path: string, environment: Environment): readonly FieldError[] {
  try {
    compileCondition(expression, environment);
    return [];
  } catch (error) {
    if (error instanceof MatchConditionError) return [invalid(path, expression, error.message)];
    throw error;
  }
}

function settingsOf(authorizer: JsonObject): AuthorizerSettings {
  const [type, name] = [textAt(authorizer, 'type'), textAt(authorizer, 'name')];
  const known = authorizerTypes.find((one) => one === type);
  if (known === undefined) throw new Error(`an authorizer of type ${type} was let through`);
  return known === 'Webhook' ? { type: known, name, webhook: webhookSettings(recordAt(authorizer, 'webhook')) } : { type: known, name };
}

function webhookSettings(webhook: JsonObject): WebhookSettings {
  const msOf = (nanos: bigint): number => Number(nanos) / 1e6;
  return {
    authorizedTtlMs: webhook['cacheAuthorizedRequests'] === false ? 0 : msOf(ttlAt(webhook, 'authorizedTTL')),
    unauthorizedTtlMs: webhook['cacheUnauthorizedRequests'] === false ? 0 : msOf(ttlAt(webhook, 'unauthorizedTTL')),
    timeoutMs: msOf(nanosAt(webhook, 'timeout', '0s')),
    version: textAt(webhook, 'subjectAccessReviewVersion') === 'v1' ? 'v1' : 'v1beta1',
    failurePolicy: textAt(webhook, 'failurePolicy') === 'Deny' ? 'Deny' : 'NoOpinion',
    matchConditions: objectsAt(webhook, 'matchConditions').map((condition) => textAt(condition, 'expression')),
    kubeConfigFile: textAt(recordAt(webhook, 'connectionInfo'), 'kubeConfigFile'),
  };
}

function ttlAt(webhook: JsonObject, field: keyof typeof defaultTtls): bigint {
  const nanos = nanosAt(webhook, field, defaultTtls[field]);
  return nanos === 0n ? parseDuration(defaultTtls[field]) : nanos;
}

/** @throws AuthorizationConfigError */
function nanosAt(object: JsonObject, field: string, absent: string): bigint {
  try {
    return parseDuration(textAt(object, field) || absent);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new AuthorizationConfigError(`failed to load AuthorizationConfiguration from file: ${error.message}`, { cause: error });
  }
}
