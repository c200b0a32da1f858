import {
  boolType,
  CompileError,
  compileExpression,
  type Environment,
  type Expression,
  environments,
  formatType,
  isFailure,
  listType,
  mapType,
  ProgramError,
  plainValueOf,
  sameType,
  stringType,
  structType,
  type Type,
} from '../../cel/index.ts';
import { aggregateErrors, type JsonObject } from '../../meta/index.ts';

/** Evaluates match conditions: whether to call the webhook. */
export type Matcher = (reviewSpec: JsonObject) => MatchResult;

export interface MatchResult {
  readonly matches: boolean;
  /** Errors of conditions, when none was false. */
  readonly error: string;
}

/** An invalid condition; the message is for its field error. */
export class MatchConditionError extends Error {
  override readonly name = 'MatchConditionError';
}

const structs: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  'kubernetes.SubjectAccessReviewSpec': {
    resourceAttributes: structType('kubernetes.ResourceAttributes'),
    nonResourceAttributes: structType('kubernetes.NonResourceAttributes'),
    user: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
    uid: stringType,
  },
  'kubernetes.ResourceAttributes': {
    ...texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
    fieldSelector: structType('kubernetes.FieldSelectorAttributes'),
    labelSelector: structType('kubernetes.LabelSelectorAttributes'),
  },
  'kubernetes.NonResourceAttributes': texts('path', 'verb'),
  'kubernetes.FieldSelectorAttributes': selector(),
  'kubernetes.LabelSelectorAttributes': selector(),
  'kubernetes.SelectorRequirement': { ...texts('key', 'operator'), values: listType(stringType) },
};

function texts(...names: readonly string[]): Readonly<Record<string, Type>> {
  return Object.fromEntries(names.map((name) => [name, stringType]));
}

function selector(): Readonly<Record<string, Type>> {
  return { rawSelector: stringType, requirements: listType(structType('kubernetes.SelectorRequirement')) };
}

/** The environment of match conditions: `request` is the SubjectAccessReview spec. Cf. upstream pkg/authorization/cel. */
export function matchEnvironment(): Environment {
  return environments().extend('stored', {
    variables: [['request', structType('kubernetes.SubjectAccessReviewSpec')]],
    structs: Object.entries(structs).map(
      ([name, fields]) => [name, (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined)] as const,
    ),
  });
}

/** @throws MatchConditionError */
export function compileCondition(source: string, environment: Environment): Expression {
  try {
    const expression = compileExpression(source, environment);
    if (sameType(expression.type, boolType)) return expression;
    throw new MatchConditionError(`must evaluate to bool but got ${formatType(expression.type)}`);
  } catch (error) {
    if (error instanceof CompileError) throw new MatchConditionError(`compilation failed: ${error.message}`, { cause: error });
    if (error instanceof ProgramError) throw new MatchConditionError(`program instantiation failed: ${error.message}`, { cause: error });
    throw error;
  }
}

/** All conditions must be true. A false one decides, even when others fail. */
export function createMatcher(sources: readonly string[]): Matcher {
  if (sources.length === 0) return () => ({ matches: true, error: '' });
  const environment = matchEnvironment();
  const expressions = sources.map((source) => compileCondition(source, environment));
  return (reviewSpec) => {
    const request = plainValueOf(withDefaults(reviewSpec));
    const errors: string[] = [];
    for (const expression of expressions) {
      const { result } = expression.evaluate((name) => (name === 'request' ? request : undefined));
      if (isFailure(result)) errors.push(`cel evaluation error: expression '${expression.source}' resulted in error: ${result.message}`);
      else if (result !== true) return { matches: false, error: '' };
    }
    return { matches: errors.length === 0, error: aggregateErrors(errors) };
  };
}

/** The spec with defaults: only whole attributes and selectors may be absent. */
function withDefaults(reviewSpec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = reviewSpec as Readonly<Record<string, JsonObject | undefined>>;
  const empty = (...names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, '']));
  return {
    ...empty('user', 'uid'),
    groups: [],
    extra: {},
    ...reviewSpec,
    ...(resourceAttributes && {
      resourceAttributes: {
        ...empty('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
        ...resourceAttributes,
      },
    }),
    ...(nonResourceAttributes && { nonResourceAttributes: { ...empty('path', 'verb'), ...nonResourceAttributes } }),
  };
}
