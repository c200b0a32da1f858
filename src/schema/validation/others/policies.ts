import {
  collectErrors,
  duplicate,
  type FieldError,
  invalid,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  repeatedIndexes,
  required,
} from '../../../meta/index.ts';
import { objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import {
  type Errors,
  none,
  validateNameWith,
  validateOneOf,
  validateOptionalOneOf,
  validateRequiredOneOf,
  validateRequiredText,
} from '../checks.ts';
import { validateConditions } from '../conditions.ts';
import type { KindValidator, KindValidators } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaAccessorUpdate } from '../update-validators.ts';
import {
  validateMatchConstraints,
  validateMatchResources,
  validateMutableOperations,
  validateParamKind,
  validateParamRef,
} from './policy-matching.ts';
import { validateMatchConditions } from './webhooks.ts';

/** Admission policies and their bindings. Admission compiles the CEL expressions. */
export const policyValidators: KindValidators = {
  'admissionregistration.ValidatingAdmissionPolicy': {
    ...validateTwice('ValidatingAdmissionPolicy', validatePolicy),
    updateStatus: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...validatePolicyStatus(recordAt(next, 'status'))],
  },
  'admissionregistration.ValidatingAdmissionPolicyBinding': validateTwice('ValidatingAdmissionPolicyBinding', validateBinding),
  'admissionregistration.MutatingAdmissionPolicy': validateTwice('MutatingAdmissionPolicy', validateMutatingPolicy),
  'admissionregistration.MutatingAdmissionPolicyBinding': validateTwice('MutatingAdmissionPolicyBinding', validateMutatingBinding),
};

function validateTwice(name: string, validate: (object: JsonObject) => Errors): KindValidator {
  const kind = { type: `admissionregistration.${name}`, namespaced: false };
  return {
    create: validate,
    update: (next) => [...validateFullMetadata(kind, next), ...validate(next)],
    updateStatus: validateObjectMetaAccessorUpdate,
  };
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validatePolicy(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const name = textAt(recordAt(object, 'metadata'), 'name');
  const [validations, annotations] = [objectsAt(spec, 'validations'), objectsAt(spec, 'auditAnnotations')];
  const neither = 'validations or auditAnnotations must contain at least one item';
  const repeated = repeatedIndexes(annotations.map((one) => textAt(one, 'key')));
  return [
    ...validateFailurePolicyAndParams(spec),
    ...validateMatchConstraints(optionalRecordAt(spec, 'matchConstraints'), 'spec.matchConstraints'),
    ...validateConditionsAndVariables(spec),
    ...(validations.length + annotations.length === 0
      ? [required('spec.validations', neither), required('spec.auditAnnotations', neither)]
      : none),
    ...collectErrors(validations, (one, index) => validateValidation(one, `spec.validations[${index}]`)),
    ...(annotations.length > maxAuditAnnotations
      ? [
          invalid(
            'spec.auditAnnotations',
            annotations.map(toGoAnnotation),
            `must not have more than ${maxAuditAnnotations} auditAnnotations`,
          ),
        ]
      : none),
    ...collectErrors(annotations, (one, index) => [
      ...validateAuditAnnotation(one, name, `spec.auditAnnotations[${index}]`),
      ...(repeated.has(index) ? [duplicate(`spec.auditAnnotations[${index}].key`, textAt(one, 'key'))] : none),
    ]),
  ];
}

const maxAuditAnnotations = 20;

/** In the real server's internal form, without JSON names. */
function toGoAnnotation(annotation: JsonObject): JsonObject {
  return { Key: textAt(annotation, 'key'), ValueExpression: textAt(annotation, 'valueExpression') };
}

function validateFailurePolicyAndParams(spec: JsonObject): Errors {
  const paramKind = optionalRecordAt(spec, 'paramKind');
  return [
    ...validateOptionalOneOf(spec, 'failurePolicy', ['Fail', 'Ignore'], 'spec'),
    ...(paramKind ? validateParamKind(paramKind, 'spec.paramKind') : none),
  ];
}

function validateConditionsAndVariables(spec: JsonObject): Errors {
  return [
    ...validateMatchConditions(spec, 'spec.matchConditions'),
    ...collectErrors(objectsAt(spec, 'variables'), (one, index) => validateVariable(one, `spec.variables[${index}]`)),
  ];
}

/** Written by the type checking controller. */
function validatePolicyStatus(status: JsonObject): Errors {
  const warnings = objectsAt(optionalRecordAt(status, 'typeChecking'), 'expressionWarnings');
  return [
    ...collectErrors(warnings, (one, index) => validateExpressionWarning(one, `status.typeChecking.expressionWarnings[${index}]`)),
    ...validateConditions(objectsAt(status, 'conditions'), 'status.conditions'),
  ];
}

function validateExpressionWarning(one: JsonObject, path: string): Errors {
  return [
    ...validateRequiredText(one, 'warning', path),
    ...(textAt(one, 'fieldRef').trim() === '' ? [required(`${path}.fieldRef`, '')] : none),
  ];
}

function validateMutatingPolicy(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const constraints = optionalRecordAt(spec, 'matchConstraints');
  const mutations = objectsAt(spec, 'mutations');
  return [
    ...validateFailurePolicyAndParams(spec),
    ...validateMatchConstraints(constraints, 'spec.matchConstraints'),
    ...validateMutableOperations(constraints, 'spec.matchConstraints'),
    ...validateConditionsAndVariables(spec),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : none),
    ...collectErrors(mutations, (one, index) => validateMutation(one, `spec.mutations[${index}]`)),
    ...validateRequiredOneOf(textAt(spec, 'reinvocationPolicy'), ['IfNeeded', 'Never'], 'spec.reinvocationPolicy'),
  ];
}

const patchTypes = ['ApplyConfiguration', 'JSONPatch'];
const patchFields = ['applyConfiguration', 'jsonPatch'];

/** A mutation is specified in one of two forms. */
function validateMutation(one: JsonObject, path: string): Errors {
  const type = textAt(one, 'patchType');
  if (!patchTypes.includes(type)) return validateRequiredOneOf(type, patchTypes, `${path}.patchType`);
  const chosen = patchFields[patchTypes.indexOf(type)] ?? '';
  const other = patchFields.find((field) => field !== chosen) ?? '';
  const patch = optionalRecordAt(one, chosen);
  const isEmpty = textAt(patch, 'expression').trim() === '';
  return [
    ...(patch ? none : [required(`${path}.${chosen}`, `must be specified when patchType is ${type}`)]),
    ...(patch && isEmpty ? [required(`${path}.${chosen}.expression`, '')] : none),
    ...(optionalRecordAt(one, other)
      ? [invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)]
      : none),
  ];
}

function validateMutatingBinding(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  return [...validateBindingSpec(spec), ...validateMutableOperations(optionalRecordAt(spec, 'matchResources'), 'spec.matchResources')];
}

function validateValidation(one: JsonObject, path: string): Errors {
  const message = textAt(one, 'message');
  const messageExpression = textAt(one, 'messageExpression');
  const errors: FieldError[] = [];
  const empty = 'must be non-empty if specified';
  if (textAt(one, 'expression').trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'));
  if (isBlank(messageExpression)) errors.push(invalid(`${path}.messageExpression`, messageExpression, empty));
  if (isBlank(message)) errors.push(invalid(`${path}.message`, message, empty));
  else if (/[\n\r]/.test(message.trim())) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  return [...errors, ...validateOneOf(optionalTextAt(one, 'reason'), reasons, `${path}.reason`)];
}

function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

/** Reserved words of CEL. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

function validateVariable(one: JsonObject, path: string): Errors {
  const name = textAt(one, 'name');
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name);
  const wrong = isName ? none : [invalid(`${path}.name`, name, 'must be a valid CEL identifier')];
  return [
    ...(name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : wrong),
    ...(textAt(one, 'expression').trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : none),
  ];
}

function validateAuditAnnotation(one: JsonObject, policyName: string, path: string): Errors {
  return [
    ...(policyName === ''
      ? [invalid(`${path}.key`, textAt(one, 'key'), 'requires metadata.name be non-empty')]
      : validateNameWith(isQualifiedName, `${policyName}/${textAt(one, 'key')}`, `${path}.key`)),
    ...validateValueExpression(textAt(one, 'valueExpression').trim(), `${path}.valueExpression`),
  ];
}

/** Limit for the value expression of an audit annotation, in bytes. */
const maxValueExpression = 5 * 1024;

function validateValueExpression(expression: string, path: string): Errors {
  if (expression === '') return [required(path, 'valueExpression is not specified')];
  const isTooLong = new TextEncoder().encode(expression).length > maxValueExpression;
  return isTooLong ? [required(path, `must not exceed ${maxValueExpression} bytes in length`)] : none;
}

function validateBinding(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  return [...validateBindingSpec(spec), ...validateActions(textsAt(spec, 'validationActions'), 'spec.validationActions')];
}

/** The policy reference and match resources of a binding. */
function validateBindingSpec(spec: JsonObject): Errors {
  const policyName = textAt(spec, 'policyName');
  const [param, resources] = [optionalRecordAt(spec, 'paramRef'), optionalRecordAt(spec, 'matchResources')];
  return [
    ...(policyName === '' ? [required('spec.policyName', '')] : validateNameWith(isDns1123Subdomain, policyName, 'spec.policyName')),
    ...(param ? validateParamRef(param, 'spec.paramRef') : none),
    ...(resources ? validateMatchResources(resources, 'spec.matchResources') : none),
  ];
}

function validateActions(list: readonly string[], path: string): Errors {
  if (list.length === 0) return [required(path, 'at least one validation action is required')];
  const repeated = repeatedIndexes(list);
  const errors = collectErrors(list, (action, index) => [
    ...validateOneOf(action, ['Audit', 'Deny', 'Warn'], `${path}[${index}]`),
    ...(repeated.has(index) ? [duplicate(`${path}[${index}]`, action)] : none),
  ]);
  if (!list.includes('Deny') || !list.includes('Warn')) return errors;
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...errors, invalid(path, list, why)];
}
