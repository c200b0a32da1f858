import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  type JsonObject,
  required,
} from '../../../meta/index.ts';
import { type Errors, labelSelector, named, none, oneOf, requiredOneOf } from '../checks.ts';
import type { KindValidator, KindValidators } from '../kind-validator.ts';
import { objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../reading.ts';
import { plainMetadataUpdate, wholeMetadata } from '../revalidated.ts';
import { matchConditions, ruleWithOperations } from './webhooks.ts';

/** Admission policies and their bindings. Expressions are compiled by admission, which knows the language. */
export const policyValidators: KindValidators = {
  'admissionregistration.ValidatingAdmissionPolicy': whole('ValidatingAdmissionPolicy', policy),
  'admissionregistration.ValidatingAdmissionPolicyBinding': whole('ValidatingAdmissionPolicyBinding', binding),
};

function whole(name: string, validate: (object: JsonObject) => Errors): KindValidator {
  const kind = { type: `admissionregistration.${name}`, namespaced: false };
  return { create: validate, update: (next) => [...wholeMetadata(kind, next), ...validate(next)], updateStatus: plainMetadataUpdate };
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function policy(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const name = textAt(recordAt(object, 'metadata'), 'name');
  const [paramKind, constraints] = [optionalRecordAt(spec, 'paramKind'), optionalRecordAt(spec, 'matchConstraints')];
  const [validations, annotations] = [objectsAt(spec, 'validations'), objectsAt(spec, 'auditAnnotations')];
  const variables = objectsAt(spec, 'variables');
  const neither = 'validations or auditAnnotations must contain at least one item';
  return [
    ...requiredOneOf(textAt(spec, 'failurePolicy'), ['Fail', 'Ignore'], 'spec.failurePolicy'),
    ...(paramKind ? paramKindErrors(paramKind, 'spec.paramKind') : none),
    ...(constraints ? matchResources(constraints, 'spec.matchConstraints', true) : [required('spec.matchConstraints', '')]),
    ...matchConditions(spec, 'spec.matchConditions'),
    ...variables.flatMap((one, index) => variable(one, `spec.variables[${index}]`)),
    ...(validations.length + annotations.length === 0
      ? [required('spec.validations', neither), required('spec.auditAnnotations', neither)]
      : none),
    ...validations.flatMap((one, index) => validation(one, `spec.validations[${index}]`)),
    ...annotations.flatMap((one, index) => [
      ...auditAnnotation(one, name, `spec.auditAnnotations[${index}]`),
      ...repeated(annotations, index, 'key', `spec.auditAnnotations[${index}]`),
    ]),
  ];
}

function paramKindErrors(kind: JsonObject, path: string): Errors {
  return ['apiVersion', 'kind'].flatMap((field) => (textAt(kind, field) === '' ? [required(`${path}.${field}`, '')] : none));
}

export function matchResources(given: JsonObject, path: string, needsRules: boolean): Errors {
  const rules = objectsAt(given, 'resourceRules');
  return [
    ...requiredOneOf(textAt(given, 'matchPolicy'), ['Equivalent', 'Exact'], `${path}.matchPolicy`),
    ...labelSelector(optionalRecordAt(given, 'namespaceSelector'), `${path}.namespaceSelector`),
    ...labelSelector(optionalRecordAt(given, 'objectSelector'), `${path}.objectSelector`),
    ...rules.flatMap((rule, index) => ruleWithOperations(rule, `${path}.resourceRules[${index}]`)),
    ...objectsAt(given, 'excludeResourceRules').flatMap((rule, index) =>
      ruleWithOperations(rule, `${path}.excludeResourceRules[${index}]`),
    ),
    ...(needsRules && rules.length === 0 ? [required(`${path}.resourceRules`, '')] : none),
  ];
}

function validation(one: JsonObject, path: string): Errors {
  const message = textAt(one, 'message');
  const errors: FieldError[] = [];
  if (textAt(one, 'expression').trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'));
  if (message !== '' && message.trim() === '') errors.push(invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  else if (/[\n\r]/.test(message)) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  return [...errors, ...oneOf(optionalTextAt(one, 'reason'), reasons, `${path}.reason`)];
}

function variable(one: JsonObject, path: string): Errors {
  const name = textAt(one, 'name');
  const wrong = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? none : [invalid(`${path}.name`, name, 'must be a valid CEL identifier')];
  return [
    ...(name === '' ? [required(`${path}.name`, 'name is not specified')] : wrong),
    ...(textAt(one, 'expression').trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : none),
  ];
}

function repeated(list: readonly JsonObject[], index: number, field: string, path: string): Errors {
  const value = textAt(list[index], field);
  const before = list.slice(0, index).some((one) => textAt(one, field) === value);
  return value !== '' && before ? [duplicate(`${path}.${field}`, value)] : none;
}

function auditAnnotation(one: JsonObject, policyName: string, path: string): Errors {
  const key = textAt(one, 'key');
  return [
    ...(key === '' ? [required(`${path}.key`, '')] : named(isQualifiedName, `${policyName}/${key}`, `${path}.key`)),
    ...(textAt(one, 'valueExpression').trim() === '' ? [required(`${path}.valueExpression`, 'valueExpression is not specified')] : none),
  ];
}

function binding(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const policyName = textAt(spec, 'policyName');
  const [param, resources] = [optionalRecordAt(spec, 'paramRef'), optionalRecordAt(spec, 'matchResources')];
  return [
    ...(policyName === '' ? [required('spec.policyName', '')] : named(isDns1123Subdomain, policyName, 'spec.policyName')),
    ...(param ? paramRef(param, 'spec.paramRef') : none),
    ...(resources ? matchResources(resources, 'spec.matchResources', false) : none),
    ...actions(textsAt(spec, 'validationActions'), 'spec.validationActions'),
  ];
}

function paramRef(param: JsonObject, path: string): Errors {
  const [name, selector] = [textAt(param, 'name'), optionalRecordAt(param, 'selector')];
  const errors: FieldError[] = [];
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    errors.push(...named(isPathSegmentName, name, `${path}.name`));
    if (selector) errors.push(forbiddenField(`${path}.name`, exclusive), forbiddenField(`${path}.selector`, exclusive));
  } else if (selector) errors.push(...labelSelector(selector, `${path}.selector`));
  else errors.push(required(path, 'one of name or selector must be specified'));
  return [...errors, ...requiredOneOf(textAt(param, 'parameterNotFoundAction'), ['Allow', 'Deny'], `${path}.parameterNotFoundAction`)];
}

function actions(list: readonly string[], path: string): Errors {
  if (list.length === 0) return [required(path, 'at least one validation action is required')];
  const errors = list.flatMap((action, index) => [
    ...oneOf(action, ['Audit', 'Deny', 'Warn'], `${path}[${index}]`),
    ...(list.indexOf(action) < index ? [duplicate(`${path}[${index}]`, action)] : none),
  ]);
  if (!list.includes('Deny') || !list.includes('Warn')) return errors;
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...errors, invalid(path, list, why)];
}
