/** Validation of metadata, common to all kinds, and of each built-in kind. */

export { isSemanticallyEqual, memberSchema } from './accessors.ts';
export { CronError, type CronSchedule, isTimeZone, parseCron } from './batch/cron-schedule.ts';
export { computePodQosClass } from './core/pods/qos-class.ts';
export { validateTolerations } from './core/pods/scheduling.ts';
export type { Decoded } from './decoded.ts';
export { getApprovalState } from './definitions/approval.ts';
export { hasInvalidCaBundle } from './definitions/conversion.ts';
export { deviceId } from './devices/claim-status.ts';
export { maxSelectorExpression } from './devices/configuration.ts';
export { kindTypeOf } from './kind-validator.ts';
export { readRequestedOrganizations } from './others/certificate.ts';
export { isSystemPriorityClass } from './others/classes.ts';
export type { ValidatedKinds } from './validated-kinds.ts';
export { createValidation, type Validation } from './validation.ts';
