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
import type { admissionregistrationv1, admissionregistrationv1beta1 } from '../../api/index.ts';
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
import type { Decoded } from '../decoded.ts';
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
    updateStatus: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...validatePolicyStatus(next.status ?? {})],
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

function validatePolicy(object: Decoded<admissionregistrationv1.ValidatingAdmissionPolicy>): Errors {
  const spec = object.spec ?? {};
  const name = object.metadata?.name ?? '';
  const [validations, annotations] = [spec.validations ?? [], spec.auditAnnotations ?? []];
  const neither = 'validations or auditAnnotations must contain at least one item';
  const repeated = repeatedIndexes(annotations.map((one) => one.key ?? ''));
  return [
    ...validateFailurePolicyAndParams(spec),
    ...validateMatchConstraints(spec.matchConstraints, 'spec.matchConstraints'),
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
      ...(repeated.has(index) ? [duplicate(`spec.auditAnnotations[${index}].key`, one.key ?? '')] : none),
    ]),
  ];
}

const maxAuditAnnotations = 20;

/** In the real server's internal form, without JSON names. */
const toGoAnnotation = ({ key = '', valueExpression = '' }: Decoded<admissionregistrationv1.AuditAnnotation>): JsonObject => ({
  Key: key,
  ValueExpression: valueExpression,
});

function validateFailurePolicyAndParams(spec: Decoded<admissionregistrationv1.ValidatingAdmissionPolicySpec>): Errors {
  const paramKind = spec.paramKind;
  return [
    ...validateOptionalOneOf(spec, 'failurePolicy', ['Fail', 'Ignore'], 'spec'),
    ...(paramKind ? validateParamKind(paramKind, 'spec.paramKind') : none),
  ];
}

function validateConditionsAndVariables(spec: Decoded<admissionregistrationv1.ValidatingAdmissionPolicySpec>): Errors {
  return [
    ...validateMatchConditions(spec, 'spec.matchConditions'),
    ...collectErrors(spec.variables ?? [], (one, index) => validateVariable(one, `spec.variables[${index}]`)),
  ];
}

/** Written by the type checking controller. */
function validatePolicyStatus(status: Decoded<admissionregistrationv1.ValidatingAdmissionPolicyStatus>): Errors {
  const warnings = status.typeChecking?.expressionWarnings ?? [];
  return [
    ...collectErrors(warnings, (one, index) => validateExpressionWarning(one, `status.typeChecking.expressionWarnings[${index}]`)),
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
  ];
}

function validateExpressionWarning(one: Decoded<admissionregistrationv1.ExpressionWarning>, path: string): Errors {
  return [
    ...validateRequiredText(one, 'warning', path),
    ...((one.fieldRef ?? '').trim() === '' ? [required(`${path}.fieldRef`, '')] : none),
  ];
}

function validateMutatingPolicy(object: Decoded<admissionregistrationv1beta1.MutatingAdmissionPolicy>): Errors {
  const spec = object.spec ?? {};
  const constraints = spec.matchConstraints;
  const mutations = spec.mutations ?? [];
  return [
    ...validateFailurePolicyAndParams(spec),
    ...validateMatchConstraints(constraints, 'spec.matchConstraints'),
    ...validateMutableOperations(constraints, 'spec.matchConstraints'),
    ...validateConditionsAndVariables(spec),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : none),
    ...collectErrors(mutations, (one, index) => validateMutation(one, `spec.mutations[${index}]`)),
    ...validateRequiredOneOf(spec.reinvocationPolicy ?? '', ['IfNeeded', 'Never'], 'spec.reinvocationPolicy'),
  ];
}

const patchTypes = ['ApplyConfiguration', 'JSONPatch'];

/** A mutation is specified in one of two forms. */
function validateMutation(one: Decoded<admissionregistrationv1beta1.Mutation>, path: string): Errors {
  const type = one.patchType ?? '';
  if (!patchTypes.includes(type)) return validateRequiredOneOf(type, patchTypes, `${path}.patchType`);
  const [chosen, other] =
    type === 'JSONPatch' ? (['jsonPatch', 'applyConfiguration'] as const) : (['applyConfiguration', 'jsonPatch'] as const);
  const patch = one[chosen];
  const isEmpty = (patch?.expression ?? '').trim() === '';
  return [
    ...(patch ? none : [required(`${path}.${chosen}`, `must be specified when patchType is ${type}`)]),
    ...(patch && isEmpty ? [required(`${path}.${chosen}.expression`, '')] : none),
    ...(one[other] ? [invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)] : none),
  ];
}

function validateMutatingBinding(object: Decoded<admissionregistrationv1beta1.MutatingAdmissionPolicyBinding>): Errors {
  const spec = object.spec ?? {};
  return [...validateBindingSpec(spec), ...validateMutableOperations(spec.matchResources, 'spec.matchResources')];
}

function validateValidation(one: Decoded<admissionregistrationv1.Validation>, path: string): Errors {
  const message = one.message ?? '';
  const messageExpression = one.messageExpression ?? '';
  const errors: FieldError[] = [];
  const empty = 'must be non-empty if specified';
  if ((one.expression ?? '').trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'));
  if (isBlank(messageExpression)) errors.push(invalid(`${path}.messageExpression`, messageExpression, empty));
  if (isBlank(message)) errors.push(invalid(`${path}.message`, message, empty));
  else if (/[\n\r]/.test(message.trim())) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  return [...errors, ...validateOneOf(one.reason, reasons, `${path}.reason`)];
}

function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

/** Reserved words of CEL. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

function validateVariable(one: Decoded<admissionregistrationv1.Variable>, path: string): Errors {
  const name = one.name ?? '';
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name);
  const wrong = isName ? none : [invalid(`${path}.name`, name, 'must be a valid CEL identifier')];
  return [
    ...(name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : wrong),
    ...((one.expression ?? '').trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : none),
  ];
}

function validateAuditAnnotation(one: Decoded<admissionregistrationv1.AuditAnnotation>, policyName: string, path: string): Errors {
  return [
    ...(policyName === ''
      ? [invalid(`${path}.key`, one.key ?? '', 'requires metadata.name be non-empty')]
      : validateNameWith(isQualifiedName, `${policyName}/${one.key ?? ''}`, `${path}.key`)),
    ...validateValueExpression((one.valueExpression ?? '').trim(), `${path}.valueExpression`),
  ];
}

/** Limit for the value expression of an audit annotation, in bytes. */
const maxValueExpression = 5 * 1024;

function validateValueExpression(expression: string, path: string): Errors {
  if (expression === '') return [required(path, 'valueExpression is not specified')];
  const isTooLong = new TextEncoder().encode(expression).length > maxValueExpression;
  return isTooLong ? [required(path, `must not exceed ${maxValueExpression} bytes in length`)] : none;
}

function validateBinding(object: Decoded<admissionregistrationv1.ValidatingAdmissionPolicyBinding>): Errors {
  const spec = object.spec ?? {};
  return [...validateBindingSpec(spec), ...validateActions(spec.validationActions ?? [], 'spec.validationActions')];
}

/** The policy reference and match resources of a binding. */
function validateBindingSpec(spec: Decoded<admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec>): Errors {
  const policyName = spec.policyName ?? '';
  const [param, resources] = [spec.paramRef, spec.matchResources];
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
