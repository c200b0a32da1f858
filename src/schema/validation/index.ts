/** What may be wrong with an object: metadata for all kinds alike, and the rules of each built-in kind. */

export { qosClassOf } from './core/qos-class.ts';
export { type Approval, approvalOf } from './definitions/approval.ts';
export { type KindValidator, typeOf } from './kind-validator.ts';
export { requestedOrganizations } from './others/certificate.ts';
export { isSystemPriorityClass } from './others/classes.ts';
export { isSame } from './reading.ts';
export { createValidation, type Validated, type Validation } from './validation.ts';
