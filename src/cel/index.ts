/** The Common Expression Language of Kubernetes: compilation, cost estimation, evaluation, and validation rules of schemas. */
export { evaluateAsking } from './asking.ts';
export type { CostRange, SizeOf } from './cost/estimate.ts';
export { WorkBudget } from './cost/work.ts';
export { CompileError, compileExpression, type Expression, type Outcome, perCallLimit } from './expression.ts';
export { type AccessAnswer, type AccessQuestion, type Ask, authorizerValue, resourceCheckValue } from './functions/authorization.ts';
export { ProgramError } from './language/constants.ts';
export {
  type Age,
  authorizerType,
  type Declared,
  type Environment,
  type EnvironmentSet,
  environments,
  hostFunction,
  type Overload,
  resourceCheckType,
  type StructFields,
} from './language/environment.ts';
export type { Variables } from './language/evaluate.ts';
export * from './language/types.ts';
export { type PolicyNames, policyEnvironment } from './policies.ts';
export { type AgeOf, type CheckOptions, checkRules } from './rules/check-rules.ts';
export { type SelectorProblem, selectorProblem } from './rules/device-selector.ts';
export { shownMessage } from './rules/message.ts';
export { hasRules, type RuleFindings, type RuleValidator, ruleBudget, ruleValidator } from './rules/validate-rules.ts';
export { escapeName, unescapeName } from './schema/escape.ts';
export { readSchema, type SchemaNode, type ValidationRule } from './schema/node.ts';
export { requestStructs } from './schema/request-types.ts';
export { type DeclaredType, declaredType, type NamedType, namedType, sizesFrom } from './schema/types.ts';
export { plainValueOf, schemaValueOf } from './schema/values.ts';
export { costExceeded } from './values/ended.ts';
export { ListValue } from './values/list.ts';
export { EntriesMap, MapValue } from './values/map.ts';
export { jsonOf, misnamedTypes, StructValue } from './values/struct.ts';
export {
  Duration,
  Failure,
  isFailure,
  OpaqueValue,
  OptionalValue,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values/value.ts';
