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
import type { Answer, Question } from './questions.ts';

/** What the learner did since the step began. */
export interface SeenCommand {
  readonly line: string;
  readonly exit: number;
  readonly stdout: string;
}

export interface SeenRequest {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly code: number;
}

/** What checks see beside the cluster. */
export interface StepFacts {
  readonly commands: readonly SeenCommand[];
  readonly requests: readonly SeenRequest[];
  /** By name in the learner's home. */
  readonly files: Readonly<Record<string, string>>;
  readonly step: { readonly started: string };
}

export type AskCluster = (question: Question) => Answer;

/** Expressions of checks. `evaluate` may run them again and again, each time with somebody to ask. */
export interface CheckLanguage {
  /** @throws CompileError, ProgramError */
  compile(cel: string): CheckExpression;
}

export interface CheckExpression {
  /** A failure that is the expression's own (something is not there) comes back as a text. */
  evaluate(facts: StepFacts, ask: AskCluster): { readonly value: Value } | { readonly failure: string };
}

/** A check may cost what one call in the server may; asking counts, too. */
const costMax = 1_000_000;
/** Patterns are run by the platform, which no cost limit can stop. */
const withoutPatterns = ['matches', 'find', 'findAll'];

/**
 * Names beyond the language's own: `get(apiVersion, kind, namespace, name)`, `list(apiVersion, kind, namespace, selector)`,
 * `can(user, verb, resource, namespace[, name])`, and the variables `commands`, `requests`, `files` and `step`.
 */
export function createCheckLanguage(): CheckLanguage {
  let asking: AskCluster = () => null;
  const ask = (question: Question): Result => plainValueOf(asking(question));
  const environment = checkEnvironment(ask);
  return {
    compile(cel) {
      const expression = compileExpression(wholeObjects(cel), environment);
      return {
        evaluate(facts, askCluster) {
          asking = askCluster;
          return outcomeOf(expression, facts);
        },
      };
    },
  };
}

function checkEnvironment(ask: (question: Question) => Result): Environment {
  const functions: [string, readonly Overload[]][] = [
    ['get', [hostFunction('string,string,string,string', 'dyn', (...args) => ask(objectQuestion(args.map(String))))]],
    ['list', [hostFunction('string,string,string,string', 'list(dyn)', (...args) => ask(listQuestion(args.map(String))))]],
    [
      'can',
      ['string,string,string,string', 'string,string,string,string,string'].map((args) =>
        hostFunction(args, 'bool', (...given) => ask(accessQuestion(given.map(String)))),
      ),
    ],
  ];
  return environments().extend('stored', {
    functions,
    without: withoutPatterns,
    variables: [
      ['commands', listType(dynType)],
      ['requests', listType(dynType)],
      ['files', mapType(stringType, stringType)],
      ['step', dynType],
    ],
  });
}

function objectQuestion([apiVersion = '', kind = '', namespace = '', name = '']: readonly string[]): Question {
  return { of: 'object', apiVersion, kind, namespace, name };
}

function listQuestion([apiVersion = '', kind = '', namespace = '', selector = '']: readonly string[]): Question {
  return { of: 'objects', apiVersion, kind, namespace, selector };
}

function accessQuestion([user = '', verb = '', resource = '', namespace = '', name = '']: readonly string[]): Question {
  return { of: 'access', user, verb, resource, namespace, name };
}

function outcomeOf(expression: Expression, facts: StepFacts): ReturnType<CheckExpression['evaluate']> {
  const known: Readonly<Record<string, unknown>> = { ...facts };
  const { result } = expression.evaluate((name) => (name in known ? plainValueOf(known[name]) : undefined), costMax);
  return isFailure(result) ? { failure: result.message } : { value: result };
}

/** `has(get(…))` asks for an object as a whole, where the language's `has` knows only fields. */
function wholeObjects(cel: string): string {
  return cel.replace(/\bhas\(\s*(get\((?:[^()"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\))\s*\)/g, '($1 != null)');
}
