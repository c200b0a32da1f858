import {
  boolType,
  CompileError,
  compileExpression,
  dynType,
  type Environment,
  type Expression,
  environments,
  isFailure,
  ListValue,
  listType,
  MapValue,
  mapType,
  ProgramError,
  type Result,
  sameType,
  stringType,
  structType,
  unescapeName,
  type Value,
} from '../../cel/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { User } from '../user.ts';

/** An invalid expression; the message is for its field error. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export interface ExpressionCompiler {
  /** Over `claims`; of any type. @throws ExpressionError */
  mapping(source: string): Expression;
  /** Over `claims`; boolean. @throws ExpressionError */
  claimRule(source: string): Expression;
  /** Over `user`; boolean. @throws ExpressionError */
  userRule(source: string): Expression;
}

const userFields = {
  username: stringType,
  uid: stringType,
  groups: listType(stringType),
  extra: mapType(stringType, listType(stringType)),
};
const userTypeName = 'kubernetes.UserInfo';

/** Compiles the expressions of an authentication configuration. Cf. upstream pkg/authentication/cel. */
export function expressionCompiler(): ExpressionCompiler {
  const known = environments();
  const claims = known.extend('stored', { variables: [['claims', mapType(stringType, dynType)]] });
  const fields = new Map(Object.entries(userFields));
  const user = known.extend('stored', {
    variables: [['user', structType(userTypeName)]],
    structs: [[userTypeName, (field) => fields.get(field)]],
  });
  return {
    mapping: (source) => compile(source, claims),
    claimRule: (source) => requireBoolean(compile(source, claims)),
    userRule: (source) => requireBoolean(compile(source, user)),
  };
}

function compile(source: string, environment: Environment): Expression {
  try {
    return compileExpression(source, environment);
  } catch (error) {
    if (error instanceof CompileError) throw new ExpressionError(`compilation failed: ${error.message}`, { cause: error });
    if (error instanceof ProgramError) throw new ExpressionError(`program instantiation failed: ${error.message}`, { cause: error });
    throw error;
  }
}

function requireBoolean(expression: Expression): Expression {
  if (!sameType(expression.type, boolType)) throw new ExpressionError('must evaluate to bool');
  return expression;
}

/** The claims of a token as a CEL value: numbers are doubles, as Go decodes them. */
export function claimsValue(claims: JsonObject): MapValue {
  return new NamedValues(claims);
}

export function userValue({ username, uid, groups, extra }: User): MapValue {
  return new NamedValues({ username, uid, groups, extra });
}

/** An object with escaped member names: `claims.a__dot__b` is the claim `a.b`. */
class NamedValues extends MapValue {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    super();
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#values).length;
  }

  get keys(): readonly Value[] {
    return Object.keys(this.#values);
  }

  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescapeName(key) ?? key;
    return Object.hasOwn(this.#values, name) ? celValueOf(this.#values[name]) : undefined;
  }
}

function celValueOf(json: Json | undefined): Value {
  if (json === undefined || json === null) return null;
  if (Array.isArray(json)) return ListValue.of(json.map(celValueOf));
  if (isJsonObject(json)) return new NamedValues(json);
  return json as Value;
}

/** A string, or a list of strings without its empty ones; undefined for any other value. */
export function textsOf(result: Result): readonly string[] | undefined {
  if (result === null || result === '') return [];
  if (typeof result === 'string') return [result];
  // kube-apiserver does not recognize lists returned by string functions.
  if (isFailure(result) || !(result instanceof ListValue) || result.isOfTexts) return undefined;
  const texts = result.elements;
  return texts.every((text) => typeof text === 'string') ? texts.filter((text) => text !== '') : undefined;
}
