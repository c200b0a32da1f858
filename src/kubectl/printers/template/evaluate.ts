import { isJsonObject } from '../../../meta/index.ts';
import { FunctionError, findFunction } from './functions.ts';
import type { Command, Pipe, Term } from './nodes.ts';
import { GoInt, isTruthy, typeName } from './values.ts';

interface Place {
  readonly at: number;
  readonly text: string;
}

/** What a part of a template is evaluated with. */
export interface Scope {
  readonly template: string;
  /** The name of the executed template. */
  readonly name: string;
  readonly allowMissing: boolean;
  readonly dot: unknown;
  readonly variables: Map<string, unknown>;
  /** The part that is evaluated, for failures. Cf. the method `at` of text/template's state. */
  place: Place | undefined;
}

/** A failure with its place: `template: output:1:7: executing "output" at <.a.b>: …`. */
export class TemplateFailure extends Error {
  constructor({ template, name, place }: Scope, message: string) {
    super(`${location(template, name, place)}${message}`);
  }
}

function location(template: string, name: string, place: Place | undefined): string {
  if (!place) return `template: ${name}: `;
  const before = template.slice(0, place.at);
  const lines = before.split('\n');
  const column = new TextEncoder().encode(lines.at(-1) ?? '').length;
  return `template: output:${lines.length}:${column}: executing ${JSON.stringify(name)} at <${place.text}>: `;
}

/** Marks that no value comes from the stage before. */
const missing = Symbol('missing');

/** The value of a pipeline; sets its variables. @throws TemplateFailure */
export function evaluatePipe(pipe: Pipe, scope: Scope, isRange = false): unknown {
  scope.place = pipe;
  let value: unknown = missing;
  for (const command of pipe.commands) value = evaluateCommand(command, value, scope);
  if (!isRange) for (const name of pipe.variables) scope.variables.set(name, value);
  return value;
}

function evaluateCommand(command: Command, final: unknown, scope: Scope): unknown {
  const [first, ...args] = command.terms;
  if (!first) return undefined;
  switch (first.type) {
    case 'function':
      return callFunction(first.name, { command, term: first, args, final }, scope);
    case 'field':
    case 'variable':
    case 'chain':
      return evaluateFields(first, args.length > 0 || final !== missing, scope);
    default: {
      scope.place = first;
      if (args.length > 0 || final !== missing) throw new TemplateFailure(scope, `can't give argument to non-function ${first.text}`);
      if (first.type === 'value' && first.goType === 'nil') throw new TemplateFailure(scope, 'nil is not a command');
      return evaluateTerm(first, scope);
    }
  }
}

function evaluateTerm(term: Term, scope: Scope): unknown {
  scope.place = term;
  switch (term.type) {
    case 'value':
      return term.goType === 'int' ? new GoInt(Number(term.value)) : term.value;
    case 'dot':
      return scope.dot;
    case 'nested':
      return evaluatePipe(term.pipe, scope);
    case 'function':
      return callFunction(term.name, { command: { ...term, terms: [term] }, term, args: [], final: missing }, scope);
    default:
      return evaluateFields(term, false, scope);
  }
}

/** The value of `.a.b`, `$x.a` or `(…).a`. */
function evaluateFields(term: Extract<Term, { type: 'field' | 'variable' | 'chain' }>, hasArguments: boolean, scope: Scope): unknown {
  scope.place = term;
  const base =
    term.type === 'field' ? scope.dot : term.type === 'variable' ? scope.variables.get(term.name) : evaluateTerm(term.inner, scope);
  scope.place = term;
  if (hasArguments && term.path.length === 0) throw new TemplateFailure(scope, `can't give argument to non-function ${term.text}`);
  return term.path.reduce<unknown>((at, name, index) => {
    const isDynamic = term.type === 'field' || index > 0;
    return fieldOf(at, { name, isDynamic, hasArguments: hasArguments && index === term.path.length - 1 }, scope);
  }, base);
}

interface FieldAccess {
  readonly name: string;
  /** The receiver is an element, which has the type interface {}. */
  readonly isDynamic: boolean;
  readonly hasArguments: boolean;
}

function fieldOf(receiver: unknown, { name, isDynamic, hasArguments }: FieldAccess, scope: Scope): unknown {
  const quoted = JSON.stringify(name);
  if (receiver === undefined) {
    if (!scope.allowMissing) throw new TemplateFailure(scope, `nil data; no entry for key ${quoted}`);
    return undefined;
  }
  if (receiver === null) throw new TemplateFailure(scope, `nil pointer evaluating interface {}.${name}`);
  if (!isJsonObject(receiver) || receiver instanceof GoInt)
    throw new TemplateFailure(scope, `can't evaluate field ${name} in type ${isDynamic ? 'interface {}' : typeName(receiver)}`);
  if (hasArguments) throw new TemplateFailure(scope, `${name} is not a method but has arguments`);
  if (Object.hasOwn(receiver, name)) return receiver[name];
  if (!scope.allowMissing) throw new TemplateFailure(scope, `map has no entry for key ${quoted}`);
  return undefined;
}

interface FunctionCall {
  readonly command: Command;
  readonly term: Term;
  readonly args: readonly Term[];
  readonly final: unknown;
}

function callFunction(name: string, { command, term, args, final }: FunctionCall, scope: Scope): unknown {
  scope.place = term;
  const found = findFunction(name);
  if (!found) throw new TemplateFailure(scope, `function ${JSON.stringify(name)} not defined`);
  const count = args.length + (final === missing ? 0 : 1);
  if (found.variadic && count < found.arity)
    throw new TemplateFailure(scope, `wrong number of args for ${name}: want at least ${found.arity} got ${count}`);
  if (!found.variadic && count !== found.arity)
    throw new TemplateFailure(scope, `wrong number of args for ${name}: want ${found.arity} got ${count}`);
  if (name === 'and' || name === 'or') return shortCircuit(name, args, final, scope);
  const values = args.map((arg) => evaluateTerm(arg, scope));
  if (final !== missing) values.push(final);
  const [text] = values;
  if (found.text && typeof text !== 'string') {
    const wrong =
      text === undefined || text === null
        ? 'invalid value; expected string'
        : `wrong type for value; expected string; got ${typeName(text)}`;
    throw new TemplateFailure(scope, wrong);
  }
  scope.place = command;
  try {
    return found.run(...values);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new TemplateFailure(scope, `error calling ${name}: ${describe(name, error.message, args)}`);
  }
}

/** `call` names the argument that is no function. */
function describe(name: string, message: string, [first]: readonly Term[]): string {
  return name === 'call' && first ? message.replace('non-function ', `non-function ${first.text} `) : message;
}

/** `and` and `or` evaluate no argument after the one that decides. */
function shortCircuit(name: 'and' | 'or', args: readonly Term[], final: unknown, scope: Scope): unknown {
  let value: unknown;
  for (const arg of args) {
    value = evaluateTerm(arg, scope);
    if (isTruthy(value) === (name === 'or')) return value;
  }
  return final === missing ? value : final;
}
