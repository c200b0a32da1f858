import {
  collectErrors,
  duplicate,
  type FieldError,
  invalid,
  isDns1035Label,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  parseUrl,
  repeatedIndexes,
  required,
  tooMany,
  UrlError,
  type UrlParts,
  validateFullyQualifiedName,
} from '../../../meta/index.ts';
import type { admissionregistrationv1 } from '../../api/index.ts';
import { type Errors, none, validateLabelSelector, validateNameWith, validateOneOf, validatePortNumber } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators } from '../kind-validator.ts';
import { validateFullMetadata } from '../update-validators.ts';

/** Webhook configurations. Cf. upstream pkg/apis/admissionregistration/validation. Admission compiles the CEL expressions. */
export const webhookValidators: KindValidators = Object.fromEntries(
  ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((name) => {
    const type = `admissionregistration.${name}`;
    return [
      type,
      {
        create: validateWebhooks,
        update: (next: JsonObject) => [...validateFullMetadata({ type, namespaced: false }, next), ...validateWebhooks(next)],
      },
    ];
  }),
);

const minTimeout = 1;
const maxTimeout = 30;
const sideEffects = ['None', 'NoneOnDryRun'];
const reviewVersions = ['v1', 'v1beta1'];

function validateWebhooks({ webhooks = [] }: Decoded<admissionregistrationv1.MutatingWebhookConfiguration>): Errors {
  const seen = new Set<string>();
  return collectErrors(webhooks, (hook, index) => {
    const path = `webhooks[${index}]`;
    const { name = '' } = hook;
    const again = name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : none;
    seen.add(name);
    return [
      ...validateWebhook(hook, name, path),
      ...validateReviews(hook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
      ...again,
    ];
  });
}

function validateReviews(versions: readonly string[], path: string): Errors {
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const repeated = repeatedIndexes(versions);
  const known = versions.some((version) => reviewVersions.includes(version));
  return [
    ...collectErrors(versions, (version, index) =>
      repeated.has(index)
        ? [invalid(`${path}[${index}]`, version, 'duplicate version')]
        : validateNameWith(isDns1035Label, version, `${path}[${index}]`),
    ),
    ...(known ? none : [invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`)]),
  ];
}

function validateWebhook(hook: Decoded<admissionregistrationv1.MutatingWebhook>, name: string, path: string): Errors {
  const [effects, timeout] = [hook.sideEffects ?? undefined, hook.timeoutSeconds];
  return [
    ...validateFullyQualifiedName(`${path}.name`, name),
    ...collectErrors(hook.rules ?? [], (rule, index) => validateRuleWithOperations(rule, `${path}.rules[${index}]`)),
    ...validateOneOf(hook.failurePolicy, ['Fail', 'Ignore'], `${path}.failurePolicy`),
    ...validateOneOf(hook.matchPolicy, ['Equivalent', 'Exact'], `${path}.matchPolicy`),
    ...(effects === undefined
      ? [required(`${path}.sideEffects`, `must specify one of ${sideEffects.join(', ')}`)]
      : validateOneOf(effects, sideEffects, `${path}.sideEffects`)),
    ...(timeout !== undefined && (timeout < minTimeout || timeout > maxTimeout)
      ? [invalid(`${path}.timeoutSeconds`, timeout, `the timeout value must be between ${minTimeout} and ${maxTimeout} seconds`)]
      : none),
    ...validateLabelSelector(hook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(hook.objectSelector, `${path}.objectSelector`),
    ...validateOneOf(hook.reinvocationPolicy, ['IfNeeded', 'Never'], `${path}.reinvocationPolicy`),
    ...validateClientConfig(hook.clientConfig ?? {}, `${path}.clientConfig`),
    ...validateMatchConditions(hook, `${path}.matchConditions`),
  ];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** The rules of a webhook or policy. */
export function validateRuleWithOperations(rule: Decoded<admissionregistrationv1.RuleWithOperations>, path: string): Errors {
  const { operations: given = [], apiGroups = [], apiVersions = [], resources = [] } = rule;
  return [
    ...validateWildcards(given, 'operations', 'operations', path),
    ...collectErrors(given, (operation, index) => validateOneOf(operation, operations, `${path}.operations[${index}]`)),
    ...validateWildcards(apiGroups, 'apiGroups', 'API groups', path),
    ...validateWildcards(apiVersions, 'apiVersions', 'API versions', path),
    ...collectErrors(apiVersions, (version, index) => (version === '' ? [required(`${path}.apiVersions[${index}]`, '')] : none)),
    ...validateResourcePatterns(resources, `${path}.resources`),
    ...validateOneOf(rule.scope, ['*', 'Cluster', 'Namespaced'], `${path}.scope`),
  ];
}

// `pods`, `pods/log`, or with wildcards for either part: patterns must not overlap.
function validateResourcePatterns(list: readonly string[], path: string): Errors {
  if (list.length === 0) return [required(path, '')];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, pattern] of list.entries()) {
    if (pattern === '') errors.push(required(`${path}[${index}]`, ''));
    const slash = pattern.indexOf('/');
    if (slash < 0) continue;
    const [resource, sub] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
    for (const general of [`${resource}/*`, `*/${sub}`]) {
      if (seen.has(general)) errors.push(invalid(`${path}[${index}]`, pattern, `if '${general}' is present, must not specify ${pattern}`));
    }
    if (sub === '*' || resource === '*') seen.add(pattern);
  }
  if (list.length > 1 && list.includes('*/*')) errors.push(invalid(path, list, "if '*/*' is present, must not specify other resources"));
  // Upstream only remembers the last one.
  const last = list.findLast((pattern) => pattern !== '' && !pattern.includes('/'));
  if (list.includes('*') && last !== '*') {
    errors.push(invalid(path, list, "if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}

function validateWildcards(list: readonly string[], field: string, what: string, path: string): Errors {
  if (list.length === 0) return [required(`${path}.${field}`, '')];
  if (list.length === 1 || !list.includes('*')) return none;
  return [invalid(`${path}.${field}`, list, `if '*' is present, must not specify other ${what}`)];
}

export function validateClientConfig(config: Decoded<admissionregistrationv1.WebhookClientConfig>, path: string): Errors {
  const [url, service] = [config.url, config.service];
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')];
  return url === undefined ? validateWebhookService(config.service ?? {}, `${path}.service`) : validateWebhookUrl(url, `${path}.url`);
}

const urlForm = '; desired format: https://host[/path]';

function validateWebhookUrl(text: string, path: string): Errors {
  const url = urlOr(text);
  if (url instanceof UrlError) return [required(path, `url must be a valid URL: ${url.message}${urlForm}`)];
  const user = /^[^/]*\/\/([^/?#]*)@/.exec(text)?.[1] ?? '';
  const errors: FieldError[] = [];
  if (url.scheme !== 'https') errors.push(invalid(path, url.scheme, `'https' is the only allowed URL scheme${urlForm}`));
  if (url.host === '') errors.push(invalid(path, '', `host must be specified${urlForm}`));
  if (url.hasUser) errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (url.fragment !== '') errors.push(invalid(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.query !== '') errors.push(invalid(path, url.query, 'query parameters are not permitted in the URL'));
  return errors;
}

function urlOr(text: string): UrlParts | UrlError {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

function validateWebhookService(service: Decoded<admissionregistrationv1.ServiceReference>, path: string): Errors {
  const port = service.port ?? 0;
  return [
    // Upstream confuses the two fields, and reports the wrong one.
    ...((service.namespace ?? '') === '' ? [required(`${path}.name`, '')] : none),
    ...((service.name ?? '') === '' ? [required(`${path}.namespace`, '')] : none),
    ...validatePortNumber(port, `${path}.port`).map((error) => ({
      ...error,
      message: error.message.replace(': must be', ': port is not valid: must be'),
    })),
    ...validateServicePath(service.path ?? '', `${path}.path`),
  ];
}

function validateServicePath(target: string, path: string): Errors {
  if (target === '' || target === '/') return none;
  if (target === '//') return [invalid(path, target, 'segment[0] may not be empty')];
  // Upstream drops one byte before the first segment: of a multi-byte character the rest remains, which is not valid in a label.
  const segments = target
    .replace(/^[\0-\x7f]/, '')
    .replace(/\/$/, '')
    .split('/');
  return [
    ...(target.startsWith('/') ? none : [invalid(path, target, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalid(path, target, `segment[${index}] may not be empty`)]
        : isDns1123Subdomain(segment).map((text) => invalid(path, target, `segment[${index}]: ${text}`)),
    ),
  ];
}

const maxConditions = 64;

/** A policy, or a webhook. */
type Conditional = Pick<Decoded<admissionregistrationv1.MutatingWebhook>, 'matchConditions'>;

/** CEL expressions are compiled elsewhere. */
export function validateMatchConditions({ matchConditions: list = [] }: Conditional, path: string): Errors {
  const seen = new Set<string>();
  const errors = collectErrors(list, ({ name = '', expression = '' }, index) => {
    const again = name !== '' && seen.has(name) ? [duplicate(`${path}[${index}].name`, name)] : none;
    seen.add(name);
    return [
      ...(expression.trim() === '' ? [required(`${path}[${index}].expression`, '')] : none),
      ...(name === '' ? [required(`${path}[${index}].name`, '')] : validateNameWith(isQualifiedName, name, `${path}[${index}].name`)),
      ...again,
    ];
  });
  return list.length > maxConditions ? [tooMany(path, list.length, maxConditions), ...errors] : errors;
}
