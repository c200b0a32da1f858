/** The Common Expression Language of Kubernetes: compilation, cost estimation, evaluation, and validation rules of schemas. */

export { WorkBudget } from './cost/work.ts';
export { evaluateWithLookups } from './evaluate-with-lookups.ts';
export { CompileError, compileExpression, type Expression, perCallLimit } from './expression.ts';
export {
  type AccessAttributes,
  type AccessDecision,
  type AccessLookup,
  authorizerValue,
  resourceCheckValue,
} from './functions/authorization.ts';
export { ProgramError } from './language/constants.ts';
export {
  authorizerType,
  type Environment,
  type EnvironmentOptions,
  type EnvironmentSet,
  environments,
  hostFunction,
  type Overload,
} from './language/environment.ts';
export type { Variables } from './language/evaluate.ts';
export * from './language/types.ts';
export { type OptionalVariables, policyEnvironment, typeCheckingEnvironment } from './policy-environment.ts';
export { checkDefaults } from './rules/check-defaults.ts';
export { checkRules } from './rules/check-rules.ts';
export { compileDeviceSelector } from './rules/device-matcher.ts';
export { selectorProblem } from './rules/device-selector.ts';
export { displayMessage } from './rules/message.ts';
export type { RuleTimer } from './rules/rule-timer.ts';
export { type RuleValidationResult, type RuleValidator, ruleValidator } from './rules/validate-rules.ts';
export { unescapeName } from './schema/escape.ts';
export { readSchema, type SchemaNode } from './schema/node.ts';
export { requestStructs } from './schema/request-types.ts';
export { declaredType, type NamedType, namedType } from './schema/types.ts';
export { plainValueOf } from './schema/values.ts';
export { ComputedMap } from './values/computed-map.ts';
export { costExceeded } from './values/evaluation-ended.ts';
export { ListValue } from './values/list.ts';
export { MapValue } from './values/map.ts';
export { jsonOf, misnamedTypes, patchJsonOf, StructValue } from './values/struct.ts';
export { Failure, isFailure, type Result, type Value } from './values/value.ts';
