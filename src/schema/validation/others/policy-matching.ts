import {
  collectErrors,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1035Label,
  isDns1123Subdomain,
  isPathSegmentName,
  type NameRule,
  repeatedIndexes,
  required,
} from '../../../meta/index.ts';
import type { admissionregistrationv1 } from '../../api/index.ts';
import {
  type Errors,
  none,
  unsupported,
  validateLabelSelector,
  validateNameWith,
  validateOptionalOneOf,
  validateRequiredOneOf,
} from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { validateRuleWithOperations } from './webhooks.ts';

/** Match constraints and parameters of admission policies and their bindings. */

/** Group version and kind of the parameters. */
export function validateParamKind(kind: Decoded<admissionregistrationv1.ParamKind>, path: string): Errors {
  const name = kind.kind ?? '';
  const wrong = isDns1035Label(name.toLowerCase());
  const mixed = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
  return [
    ...validateGroupVersion(kind.apiVersion ?? '', `${path}.apiVersion`),
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

export function validateMatchResources(given: Decoded<admissionregistrationv1.MatchResources>, path: string): Errors {
  const rules = (field: 'resourceRules' | 'excludeResourceRules'): Errors =>
    collectErrors(given[field] ?? [], (rule, index) => [
      ...validateResourceNames(rule.resourceNames ?? [], `${path}.${field}[${index}].resourceNames`),
      ...validateRuleWithOperations(rule, `${path}.${field}[${index}]`),
    ]);
  return [
    ...validateOptionalOneOf(given, 'matchPolicy', ['Equivalent', 'Exact'], path),
    ...validateLabelSelector(given.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(given.objectSelector, `${path}.objectSelector`),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

/** The match constraints of a policy, which must have resource rules. */
export function validateMatchConstraints(given: Decoded<admissionregistrationv1.MatchResources> | undefined, path: string): Errors {
  if (!given) return [required(path, '')];
  const isEmpty = (given?.resourceRules ?? []).length === 0;
  return [...validateMatchResources(given, path), ...(isEmpty ? [required(`${path}.resourceRules`, '')] : none)];
}

/** Mutating policies cannot match DELETE. */
export function validateMutableOperations(given: Decoded<admissionregistrationv1.MatchResources> | undefined, path: string): Errors {
  const operations = (given?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
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

export function validateParamRef(param: Decoded<admissionregistrationv1.ParamRef>, path: string): Errors {
  const [name, selector] = [param.name ?? '', param.selector];
  const errors: FieldError[] = [];
  const exclusive = name !== '' && selector ? 'name and selector are mutually exclusive' : '';
  if (name !== '') errors.push(...validateNameWith(isPathSegmentName, name, `${path}.name`));
  if (exclusive !== '') errors.push(forbiddenField(`${path}.name`, exclusive));
  if (selector) errors.push(...validateLabelSelector(selector, `${path}.selector`));
  if (exclusive !== '') errors.push(forbiddenField(`${path}.selector`, exclusive));
  if (name === '' && !selector) errors.push(required(path, 'one of name or selector must be specified'));
  return [...errors, ...validateRequiredOneOf(param.parameterNotFoundAction ?? '', ['Deny', 'Allow'], `${path}.parameterNotFoundAction`)];
}
