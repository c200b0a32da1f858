import {
  collectErrors,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1035Label,
  isDns1123Subdomain,
  isPathSegmentName,
  type JsonObject,
  type NameRule,
  repeatedIndexes,
  required,
} from '../../../meta/index.ts';
import { objectsAt, optionalRecordAt, textAt, textsAt } from '../accessors.ts';
import {
  type Errors,
  none,
  unsupported,
  validateLabelSelector,
  validateNameWith,
  validateOptionalOneOf,
  validateRequiredOneOf,
} from '../checks.ts';
import { validateRuleWithOperations } from './webhooks.ts';

/** Match constraints and parameters of admission policies and their bindings. */

/** Group version and kind of the parameters. */
export function validateParamKind(kind: JsonObject, path: string): Errors {
  const name = textAt(kind, 'kind');
  const wrong = isDns1035Label(name.toLowerCase());
  const mixed = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [
    ...validateGroupVersion(textAt(kind, 'apiVersion'), `${path}.apiVersion`),
    ...(name === '' ? [required(`${path}.kind`, '')] : wrong.length > 0 ? [invalid(`${path}.kind`, name, mixed)] : none),
  ];
}

function validateGroupVersion(apiVersion: string, path: string): Errors {
  if (apiVersion === '') return [required(path, '')];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [version = '', group = ''] = parts.reverse();
  const wrong = (part: string, rule: NameRule): Errors => {
    const problems = rule(part);
    return problems.length > 0 ? [invalid(path, part, problems.join(','))] : none;
  };
  return [
    ...(group === '' ? none : wrong(group, isDns1123Subdomain)),
    ...(version === '' ? [invalid(path, apiVersion, 'version must be specified')] : wrong(version, isDns1035Label)),
  ];
}

export function validateMatchResources(given: JsonObject, path: string): Errors {
  const rules = (field: string): Errors =>
    collectErrors(objectsAt(given, field), (rule, index) => [
      ...validateResourceNames(textsAt(rule, 'resourceNames'), `${path}.${field}[${index}].resourceNames`),
      ...validateRuleWithOperations(rule, `${path}.${field}[${index}]`),
    ]);
  return [
    ...validateOptionalOneOf(given, 'matchPolicy', ['Equivalent', 'Exact'], path),
    ...validateLabelSelector(optionalRecordAt(given, 'namespaceSelector'), `${path}.namespaceSelector`),
    ...validateLabelSelector(optionalRecordAt(given, 'objectSelector'), `${path}.objectSelector`),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

/** The match constraints of a policy, which must have resource rules. */
export function validateMatchConstraints(given: JsonObject | undefined, path: string): Errors {
  if (!given) return [required(path, '')];
  const isEmpty = objectsAt(given, 'resourceRules').length === 0;
  return [...validateMatchResources(given, path), ...(isEmpty ? [required(`${path}.resourceRules`, '')] : none)];
}

/** Mutating policies cannot match DELETE. */
export function validateMutableOperations(given: JsonObject | undefined, path: string): Errors {
  const operations = objectsAt(given, 'resourceRules').flatMap((rule) => textsAt(rule, 'operations'));
  const supported = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
  return operations
    .filter((operation) => !supported.includes(operation))
    .map((operation) => unsupported(`${path}.resourceRules.operations`, operation, supported));
}

function validateResourceNames(names: readonly string[], path: string): Errors {
  const repeated = repeatedIndexes(names);
  return collectErrors(names, (name, index) => [
    ...validateNameWith(isPathSegmentName, name, `${path}[${index}]`),
    ...(repeated.has(index) ? [duplicate(`${path}[${index}]`, name)] : none),
  ]);
}

export function validateParamRef(param: JsonObject, path: string): Errors {
  const [name, selector] = [textAt(param, 'name'), optionalRecordAt(param, 'selector')];
  const errors: FieldError[] = [];
  const exclusive = name !== '' && selector ? 'name and selector are mutually exclusive' : '';
  if (name !== '') errors.push(...validateNameWith(isPathSegmentName, name, `${path}.name`));
  if (exclusive !== '') errors.push(forbiddenField(`${path}.name`, exclusive));
  if (selector) errors.push(...validateLabelSelector(selector, `${path}.selector`));
  if (exclusive !== '') errors.push(forbiddenField(`${path}.selector`, exclusive));
  if (name === '' && !selector) errors.push(required(path, 'one of name or selector must be specified'));
  return [
    ...errors,
    ...validateRequiredOneOf(textAt(param, 'parameterNotFoundAction'), ['Deny', 'Allow'], `${path}.parameterNotFoundAction`),
  ];
}
