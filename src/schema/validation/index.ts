/** Validation of metadata, common to all kinds, and of each built-in kind. */

export { isSame } from './accessors.ts';
export { qosClassOf } from './core/qos-class.ts';
export { type Approval, approvalOf } from './definitions/approval.ts';
export { type KindValidator, typeOf } from './kind-validator.ts';
export { requestedOrganizations } from './others/certificate.ts';
export { isSystemPriorityClass } from './others/classes.ts';
export { createValidation, type ValidatedResource, type Validation } from './validation.ts';
