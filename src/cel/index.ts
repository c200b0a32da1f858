/** The Common Expression Language of Kubernetes: compilation, cost estimation, evaluation, and validation rules of schemas. */

export type { CostRange, SizeOf } from './cost/estimate.ts';
export { WorkBudget } from './cost/work.ts';
export { evaluateWithLookups } from './evaluate-with-lookups.ts';
export { CompileError, compileExpression, type Expression, type Outcome, perCallLimit } from './expression.ts';
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
  type EnvironmentType,
  environments,
  hostFunction,
  type Overload,
  type StructFields,
} from './language/environment.ts';
export type { Variables } from './language/evaluate.ts';
export * from './language/types.ts';
export { type OptionalVariables, type PolicyTypes, policyEnvironment, typeCheckingEnvironment } from './policy-environment.ts';
export { type CheckOptions, checkRules, type EnvironmentTypeOf } from './rules/check-rules.ts';
export { compileDeviceSelector, type DeviceMatcher, type SelectableDevice } from './rules/device-matcher.ts';
export { type SelectorProblem, selectorProblem } from './rules/device-selector.ts';
export { displayMessage } from './rules/message.ts';
export { type RuleValidationResult, type RuleValidator, ruleValidator } from './rules/validate-rules.ts';
export { unescapeName } from './schema/escape.ts';
export { readSchema, type SchemaNode, type ValidationRule } from './schema/node.ts';
export { requestStructs } from './schema/request-types.ts';
export { type DeclaredType, declaredType, type NamedType, namedType } from './schema/types.ts';
export { plainValueOf } from './schema/values.ts';
export { costExceeded } from './values/evaluation-ended.ts';
export { ListValue } from './values/list.ts';
export { MapValue } from './values/map.ts';
export { jsonOf, misnamedTypes } from './values/struct.ts';
export { Failure, isFailure, type Result, type Value } from './values/value.ts';
