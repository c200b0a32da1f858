import {
  compileExpression,
  dynType,
  type Environment,
  type Expression,
  environments,
  hostFunction,
  isFailure,
  listType,
  mapType,
  type Overload,
  plainValueOf,
  type Result,
  stringType,
  type Value,
} from '../../cel/index.ts';
import type { ClusterQuery, QueryResult } from './cluster-queries.ts';

/** A command that the learner ran in the current step. */
export interface CommandRecord {
  readonly line: string;
  readonly exit: number;
  readonly stdout: string;
}

export interface RequestRecord {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly code: number;
}

/** Facts beside the cluster's objects that checks can use. */
export interface StepFacts {
  readonly commands: readonly CommandRecord[];
  readonly requests: readonly RequestRecord[];
  /** By name in the learner's home directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly step: { readonly started: string };
}

export type QueryFunction = (question: ClusterQuery) => QueryResult;

/** Expressions of checks. `evaluate` may evaluate one repeatedly, until all its queries are answered. */
export interface CheckLanguage {
  /** @throws CompileError, ProgramError */
  compile(cel: string): CheckExpression;
}

export interface CheckExpression {
  /** An evaluation error, such as a missing field, is returned as `failure`. */
  evaluate(facts: StepFacts, query: QueryFunction): { readonly value: Value } | { readonly failure: string };
}

/** The cost limit of one expression in the server. Queries count as well. */
const costMax = 1_000_000;
/** The platform runs regular expressions, beyond the control of the cost limit. */
const disabledFunctions = ['matches', 'find', 'findAll'];

/**
 * Functions and variables beyond standard CEL: `get(apiVersion, kind, namespace, name)`, `list(apiVersion, kind, namespace, selector)`,
 * `can(user, verb, resource, namespace[, name])`, and the variables `commands`, `requests`, `files` and `step`.
 */
export function createCheckLanguage(): CheckLanguage {
  let currentQuery: QueryFunction = () => null;
  const query = (question: ClusterQuery): Result => plainValueOf(currentQuery(question));
  const environment = createCheckEnvironment(query);
  return {
    compile(cel) {
      const expression = compileExpression(expandHasGet(cel), environment);
      return {
        evaluate(facts, runQuery) {
          currentQuery = runQuery;
          return evaluateExpression(expression, facts);
        },
      };
    },
  };
}

function createCheckEnvironment(query: (question: ClusterQuery) => Result): Environment {
  const functions: [string, readonly Overload[]][] = [
    ['get', [hostFunction('string,string,string,string', 'dyn', (...args) => query(objectQuery(args.map(String))))]],
    ['list', [hostFunction('string,string,string,string', 'list(dyn)', (...args) => query(listQuery(args.map(String))))]],
    [
      'can',
      ['string,string,string,string', 'string,string,string,string,string'].map((args) =>
        hostFunction(args, 'bool', (...given) => query(accessQuery(given.map(String)))),
      ),
    ],
  ];
  return environments().extend('stored', {
    functions,
    without: disabledFunctions,
    variables: [
      ['commands', listType(dynType)],
      ['requests', listType(dynType)],
      ['files', mapType(stringType, stringType)],
      ['step', dynType],
    ],
  });
}

function objectQuery([apiVersion = '', kind = '', namespace = '', name = '']: readonly string[]): ClusterQuery {
  return { of: 'object', apiVersion, kind, namespace, name };
}

function listQuery([apiVersion = '', kind = '', namespace = '', selector = '']: readonly string[]): ClusterQuery {
  return { of: 'objects', apiVersion, kind, namespace, selector };
}

function accessQuery([user = '', verb = '', resource = '', namespace = '', name = '']: readonly string[]): ClusterQuery {
  return { of: 'access', user, verb, resource, namespace, name };
}

function evaluateExpression(expression: Expression, facts: StepFacts): ReturnType<CheckExpression['evaluate']> {
  const known: Readonly<Record<string, unknown>> = { ...facts };
  const { result } = expression.evaluate((name) => (name in known ? plainValueOf(known[name]) : undefined), costMax);
  return isFailure(result) ? { failure: result.message } : { value: result };
}

/** Rewrites `has(get(…))` to a null comparison, since CEL's `has` accepts only field selections. */
function expandHasGet(cel: string): string {
  return cel.replace(/\bhas\(\s*(get\((?:[^()"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\))\s*\)/g, '($1 != null)');
}
