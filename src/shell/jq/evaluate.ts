import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { formatValue } from './formats.ts';
import { type BindingPattern, CompileError, type Definition, type Filter, FilterError } from './syntax.ts';
import { applyOperator, deletePaths, describe, getStep, isTrue, type PathStep, setPath, typeOf } from './values.ts';

/** An output of a filter. Its path is known only in `path(f)`, `del(f)` and assignments. */
export interface Output {
  readonly value: Json;
  readonly path: readonly PathStep[] | undefined;
}

/** A filter with the scope in which it was written. */
interface Closure {
  readonly filter: Filter;
  readonly scope: Scope | undefined;
}

/** A defined function, or a parameter, which has no parameters itself. */
type Callable = { readonly definition: Definition } | { readonly closure: Closure };

/** Variables and functions by name; those of functions end in `/` and the number of parameters. */
interface Scope {
  readonly name: string;
  readonly entry: { readonly value: Json } | { readonly callable: Callable } | { readonly label: object };
  readonly outer: Scope | undefined;
}

/** A function in TypeScript: takes the outputs of its arguments. */
export type NativeFunction = (input: Json, args: readonly Json[]) => Json;

/** Values of the run: its variables, and the inputs that `input` reads. */
export interface Run {
  readonly natives: ReadonlyMap<string, NativeFunction>;
  readonly variables: ReadonlyMap<string, Json>;
  readonly prelude: readonly Definition[];
  nextInput(): Json | undefined;
  debug(text: string): void;
}

class BreakSignal extends Error {
  readonly label: object;

  constructor(label: object) {
    super('break');
    this.label = label;
  }
}

/** Maximum number of evaluated filters for one input. */
const stepsMax = 500_000;
/** Maximum number of nested calls. An output of the innermost one passes through all of them. */
const depthMax = 500;

export class Evaluator {
  readonly #run: Run;
  /** The variables and functions that every filter has. */
  readonly #globals: ReadonlyMap<string, Scope>;
  #steps = 0;
  #depth = 0;

  constructor(run: Run) {
    this.#run = run;
    const variables = [...run.variables].map(([name, value]): Scope => ({ name: `$${name}`, entry: { value }, outer: undefined }));
    const functions = run.prelude.map((definition) => define(definition, undefined));
    this.#globals = new Map([...variables, ...functions].map((scope) => [scope.name, scope]));
  }

  /** @throws FilterError, CompileError */
  *evaluate(filter: Filter, input: Json): Generator<Json> {
    this.#steps = 0;
    this.#depth = 0;
    yield* this.#values(filter, input, undefined);
  }

  /** The outputs of a filter, most of them computed as they are read. */
  #all(filter: Filter, input: Output, scope: Scope | undefined): Iterable<Output> {
    if (++this.#steps > stepsMax) throw new FilterError('the filter takes too long');
    switch (filter.kind) {
      case 'identity':
        return [input];
      case 'recurse':
        return recurse(input);
      case 'literal':
        return [computed(filter.value)];
      case 'text':
        return computedAll(this.#texts(filter.parts, 0, filter.format, input, scope));
      case 'format':
        return [computed(formatValue(filter.name, input.value))];
      case 'variable':
        return [computed(this.#variable(filter.name, scope))];
      case 'index':
        return this.#index(filter.of, filter.key, input, scope);
      case 'slice':
        return this.#slices(filter, input, scope);
      case 'iterate':
        return this.#iterate(filter.of, input, scope);
      case 'array':
        return [computed(filter.items === undefined ? [] : [...this.#values(filter.items, input.value, scope)])];
      case 'object':
        return computedAll(this.#objects(filter.entries, 0, input.value, scope));
      case 'negate':
        return computedAll(this.#negate(filter.of, input.value, scope));
      case 'pipe':
        return this.#pipe(filter.left, filter.right, input, scope);
      case 'comma':
        return this.#comma(filter.left, filter.right, input, scope);
      case 'alternative':
        return this.#alternative(filter.left, filter.right, input, scope);
      case 'and':
      case 'or':
        return computedAll(this.#logic(filter.kind, filter.left, filter.right, input.value, scope));
      case 'operator':
        return computedAll(this.#operate(filter, input.value, scope));
      case 'assign':
        return computedAll(this.#assignments(filter, input.value, scope));
      case 'if':
        return this.#if(filter, input, scope);
      case 'try':
        return this.#try(filter.body, filter.handler, input, scope);
      case 'bind':
        return this.#withBinding(filter, input, scope);
      case 'reduce':
        return this.#reduce(filter, input, scope);
      case 'foreach':
        return this.#foreach(filter, input, scope);
      case 'define':
        return this.#all(filter.body, input, define(filter.definition, scope));
      case 'label':
        return this.#label(filter.name, filter.body, input, scope);
      case 'break':
        throw new BreakSignal(this.#labelOf(filter.name, scope));
      case 'call':
        return this.#call(filter.name, filter.args, input, scope);
      default:
        return filter satisfies never;
    }
  }

  *#index(of: Filter, key: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    for (const output of this.#all(of, input, scope)) for (const value of this.#values(key, input.value, scope)) yield step(output, value);
  }

  *#iterate(of: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    for (const output of this.#all(of, input, scope)) yield* iterate(output);
  }

  *#negate(of: Filter, input: Json, scope: Scope | undefined): Generator<Json> {
    for (const value of this.#values(of, input, scope)) {
      if (typeof value !== 'number') throw new FilterError(`${describe(value)} cannot be negated`);
      yield -value;
    }
  }

  *#pipe(left: Filter, right: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    for (const output of this.#all(left, input, scope)) yield* this.#all(right, output, scope);
  }

  *#comma(left: Filter, right: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    yield* this.#all(left, input, scope);
    yield* this.#all(right, input, scope);
  }

  /** The right side is evaluated only where the left one does not decide. */
  *#logic(kind: 'and' | 'or', left: Filter, right: Filter, input: Json, scope: Scope | undefined): Generator<boolean> {
    for (const value of this.#values(left, input, scope)) {
      const isLeft = isTrue(value);
      if (isLeft === (kind === 'or')) yield isLeft;
      else for (const other of this.#values(right, input, scope)) yield isTrue(other);
    }
  }

  *#operate({ operator, left, right }: Extract<Filter, { kind: 'operator' }>, input: Json, scope: Scope | undefined): Generator<Json> {
    for (const second of this.#values(right, input, scope))
      for (const first of this.#values(left, input, scope)) yield applyOperator(operator, first, second);
  }

  *#if({ condition, then, otherwise }: Extract<Filter, { kind: 'if' }>, input: Output, scope: Scope | undefined): Generator<Output> {
    for (const value of this.#values(condition, input.value, scope)) yield* this.#all(isTrue(value) ? then : otherwise, input, scope);
  }

  *#withBinding({ source, pattern, body }: Extract<Filter, { kind: 'bind' }>, input: Output, scope: Scope | undefined): Generator<Output> {
    for (const value of this.#values(source, input.value, scope))
      for (const bound of this.#bind(pattern, value, scope)) yield* this.#all(body, input, bound);
  }

  *#values(filter: Filter, input: Json, scope: Scope | undefined): Generator<Json> {
    for (const { value } of this.#all(filter, { value: input, path: undefined }, scope)) yield value;
  }

  #paths(filter: Filter, input: Json, scope: Scope | undefined): readonly (readonly PathStep[])[] {
    return [...this.#all(filter, { value: input, path: [] }, scope)].map(pathOf);
  }

  #lookUp(name: string, scope: Scope | undefined): Scope | undefined {
    for (let at = scope; at !== undefined; at = at.outer) if (at.name === name) return at;
    return this.#globals.get(name);
  }

  #variable(name: string, scope: Scope | undefined): Json {
    const found = this.#lookUp(`$${name}`, scope);
    if (found === undefined || !('value' in found.entry)) throw new CompileError(`$${name} is not defined`);
    return found.entry.value;
  }

  #labelOf(name: string, scope: Scope | undefined): object {
    const found = this.#lookUp(`*${name}`, scope);
    if (found === undefined || !('label' in found.entry)) throw new CompileError(`$*label-${name} is not defined`);
    return found.entry.label;
  }

  *#texts(parts: readonly (string | Filter)[], at: number, format: string, input: Output, scope: Scope | undefined): Generator<string> {
    const part = parts[at];
    if (part === undefined) yield '';
    else
      for (const text of typeof part === 'string' ? [part] : this.#values(part, input.value, scope))
        for (const rest of this.#texts(parts, at + 1, format, input, scope))
          yield (typeof part === 'string' ? part : formatValue(format || '@text', text)) + rest;
  }

  *#slices({ of, from, to }: Extract<Filter, { kind: 'slice' }>, input: Output, scope: Scope | undefined): Generator<Output> {
    const nothing: Filter = { kind: 'literal', value: null };
    for (const value of this.#all(of, input, scope))
      for (const end of this.#values(to ?? nothing, input.value, scope))
        for (const start of this.#values(from ?? nothing, input.value, scope)) yield step(value, { start, end });
  }

  *#objects(entries: readonly (readonly [Filter, Filter])[], at: number, input: Json, scope: Scope | undefined): Generator<JsonObject> {
    const entry = entries[at];
    if (entry === undefined) {
      yield {};
      return;
    }
    for (const key of this.#values(entry[0], input, scope)) {
      if (typeof key !== 'string') throw new FilterError(`Object keys must be strings`);
      for (const value of this.#values(entry[1], input, scope))
        for (const rest of this.#objects(entries, at + 1, input, scope)) yield { [key]: value, ...rest };
    }
  }

  *#alternative(left: Filter, right: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    let found = false;
    try {
      for (const output of this.#all(left, input, scope)) {
        if (!isTrue(output.value)) continue;
        found = true;
        yield output;
      }
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
    }
    if (!found) yield* this.#all(right, input, scope);
  }

  *#assignments({ operator, left, right }: Extract<Filter, { kind: 'assign' }>, input: Json, scope: Scope | undefined): Generator<Json> {
    if (operator === '|=') {
      yield this.#update(left, right, input, scope);
      return;
    }
    for (const value of this.#values(right, input, scope)) {
      const change = (old: Json): Json => {
        if (operator === '=') return value;
        return operator === '//=' ? (isTrue(old) ? old : value) : applyOperator(operator.slice(0, -1), old, value);
      };
      yield this.#paths(left, input, scope).reduce((whole, path) => setPath(whole, path, change), input);
    }
  }

  /** `|=`: the first output of the right side; without one, the path is deleted. */
  #update(left: Filter, right: Filter, input: Json, scope: Scope | undefined): Json {
    const removed: (readonly PathStep[])[] = [];
    const changed = this.#paths(left, input, scope).reduce<Json>(
      (whole, path) =>
        setPath(whole, path, (old) => {
          const next = this.#values(right, old, scope).next();
          if (next.done !== true) return next.value;
          removed.push(path);
          return old;
        }),
      input,
    );
    return removed.length === 0 ? changed : deletePaths(changed, removed);
  }

  *#try(body: Filter, handler: Filter | undefined, input: Output, scope: Scope | undefined): Generator<Output> {
    try {
      yield* this.#all(body, input, scope);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      if (handler !== undefined) yield* this.#all(handler, computed(error.value), scope);
    }
  }

  *#bind(pattern: BindingPattern, value: Json, scope: Scope | undefined): Generator<Scope | undefined> {
    if (pattern.kind === 'variable') {
      yield { name: `$${pattern.name}`, entry: { value }, outer: scope };
    } else if (pattern.kind === 'array') {
      if (value !== null && !Array.isArray(value)) throw new FilterError(`Cannot index ${typeOf(value)} with number`);
      yield* this.#bindAll(
        pattern.items.map((item, at) => [item, value?.[at] ?? null] as const),
        scope,
      );
    } else yield* this.#bindEntries(pattern.entries, value, scope);
  }

  *#bindAll(pairs: readonly (readonly [BindingPattern, Json])[], scope: Scope | undefined): Generator<Scope | undefined> {
    const [first, ...rest] = pairs;
    if (first === undefined) yield scope;
    else for (const bound of this.#bind(first[0], first[1], scope)) yield* this.#bindAll(rest, bound);
  }

  *#bindEntries(
    entries: Extract<BindingPattern, { kind: 'object' }>['entries'],
    value: Json,
    scope: Scope | undefined,
  ): Generator<Scope | undefined> {
    const [first, ...rest] = entries;
    if (first === undefined) {
      yield scope;
      return;
    }
    const [keyFilter, pattern, bound] = first;
    for (const key of this.#values(keyFilter, value, scope)) {
      const item = getStep(value, key);
      const named: Scope | undefined = bound === undefined ? scope : { name: `$${bound}`, entry: { value: item }, outer: scope };
      for (const inner of pattern === undefined ? [named] : this.#bind(pattern, item, named)) yield* this.#bindEntries(rest, value, inner);
    }
  }

  *#reduce(
    { source, pattern, initial, update }: Extract<Filter, { kind: 'reduce' | 'foreach' }>,
    input: Output,
    scope: Scope | undefined,
  ): Generator<Output> {
    for (const start of this.#all(initial, input, scope)) {
      let state: Output | undefined = start;
      for (const value of this.#values(source, input.value, scope))
        for (const bound of this.#bind(pattern, value, scope)) {
          const from: Output = state ?? computed(null);
          state = undefined;
          for (const next of this.#all(update, from, bound)) state = next;
        }
      yield state ?? computed(null);
    }
  }

  *#foreach(
    { source, pattern, initial, update, extract }: Extract<Filter, { kind: 'reduce' | 'foreach' }>,
    input: Output,
    scope: Scope | undefined,
  ): Generator<Output> {
    for (const start of this.#all(initial, input, scope)) {
      let state = start;
      for (const value of this.#values(source, input.value, scope))
        for (const bound of this.#bind(pattern, value, scope))
          for (const next of this.#all(update, state, bound)) {
            state = next;
            if (extract === undefined) yield next;
            else yield* this.#all(extract, next, bound);
          }
    }
  }

  *#label(name: string, body: Filter, input: Output, scope: Scope | undefined): Generator<Output> {
    const label = {};
    try {
      yield* this.#all(body, input, { name: `*${name}`, entry: { label }, outer: scope });
    } catch (error) {
      if (!(error instanceof BreakSignal) || error.label !== label) throw error;
    }
  }

  *#call(name: string, args: readonly Filter[], input: Output, scope: Scope | undefined): Generator<Output> {
    const found = this.#lookUp(`${name}/${args.length}`, scope);
    if (found !== undefined && 'callable' in found.entry) {
      const { callable } = found.entry;
      if ('closure' in callable) yield* this.#all(callable.closure.filter, input, callable.closure.scope);
      else yield* this.#nested(this.#callDefinition(callable.definition, found, args, input, scope));
      return;
    }
    const native = this.#run.natives.get(`${name}/${args.length}`);
    if (native === undefined) yield* this.#callSpecial(name, args, input, scope);
    else for (const values of this.#products(args, input.value, scope)) yield computed(native(input.value, values));
  }

  *#nested(outputs: Generator<Output>): Generator<Output> {
    if (this.#depth >= depthMax) throw new FilterError('the filter recurses too deeply');
    this.#depth++;
    try {
      yield* outputs;
    } finally {
      this.#depth--;
    }
  }

  /** Binds the parameters: filters with the caller's scope, and the values of those that begin with `$`. */
  *#callDefinition(
    { parameters, body }: Definition,
    defined: Scope,
    args: readonly Filter[],
    input: Output,
    scope: Scope | undefined,
  ): Generator<Output> {
    let inner: Scope | undefined = defined;
    const valued: (readonly [name: string, arg: Filter])[] = [];
    for (const [at, parameter] of parameters.entries()) {
      const filter = args[at];
      if (filter === undefined) continue;
      const closure: Closure = { filter, scope };
      inner = { name: `${parameter.replace('$', '')}/0`, entry: { callable: { closure } }, outer: inner };
      if (parameter.startsWith('$')) valued.push([parameter, filter]);
    }
    for (const values of this.#products(
      valued.map(([, filter]) => filter),
      input.value,
      scope,
    )) {
      const bound = valued.reduce<Scope | undefined>(
        (outer, [parameter], at) => ({ name: parameter, entry: { value: values[at] ?? null }, outer }),
        inner,
      );
      yield* this.#all(body, input, bound);
    }
  }

  /** All combinations of the outputs of the filters; those of the last one vary slowest. */
  *#products(filters: readonly Filter[], input: Json, scope: Scope | undefined): Generator<readonly Json[]> {
    const last = filters.at(-1);
    if (last === undefined) {
      yield [];
      return;
    }
    for (const value of this.#values(last, input, scope))
      for (const others of this.#products(filters.slice(0, -1), input, scope)) yield [...others, value];
  }

  /** Functions that need paths, inputs or the order of evaluation. */
  *#callSpecial(name: string, args: readonly Filter[], input: Output, scope: Scope | undefined): Generator<Output> {
    const [arg = { kind: 'identity' } as Filter] = args;
    switch (`${name}/${args.length}`) {
      case 'empty/0':
        return;
      case 'error/0':
        throw new FilterError(input.value);
      case 'error/1':
        for (const value of this.#values(arg, input.value, scope)) throw new FilterError(value);
        return;
      case 'path/1':
        for (const path of this.#paths(arg, input.value, scope)) yield computed([...path]);
        return;
      case 'del/1':
        yield computed(deletePaths(input.value, this.#paths(arg, input.value, scope)));
        return;
      case 'getpath/1':
        for (const path of this.#values(arg, input.value, scope)) yield getPath(input, path);
        return;
      case 'first/1':
        for (const output of this.#all(arg, input, scope)) {
          yield output;
          return;
        }
        return;
      case 'input/0':
        yield computed(this.#nextInput());
        return;
      case 'inputs/0':
        for (let next = this.#run.nextInput(); next !== undefined; next = this.#run.nextInput()) yield computed(next);
        return;
      case 'debug/0':
        this.#run.debug(JSON.stringify(['DEBUG:', input.value]));
        yield input;
        return;
      default:
        throw new CompileError(`${name}/${args.length} is not defined`);
    }
  }

  #nextInput(): Json {
    const next = this.#run.nextInput();
    if (next === undefined) throw new FilterError('No more inputs');
    return next;
  }
}

/** The scope of a function contains the function itself, for recursion. */
function define(definition: Definition, outer: Scope | undefined): Scope {
  return { name: `${definition.name}/${definition.parameters.length}`, entry: { callable: { definition } }, outer };
}

function* computedAll(values: Iterable<Json>): Generator<Output> {
  for (const value of values) yield computed(value);
}

/** An output that is not part of the input. */
function computed(value: Json): Output {
  return { value, path: undefined };
}

/** `.[key]` with its path. */
function step({ value, path }: Output, key: Json): Output {
  return { value: getStep(value, key), path: path && [...path, key] };
}

function* iterate({ value, path }: Output): Generator<Output> {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield { value: item, path: path && [...path, at] };
  else if (isJsonObject(value))
    for (const [key, item] of Object.entries(value)) yield { value: item ?? null, path: path && [...path, key] };
  else throw new FilterError(`Cannot iterate over ${describe(value)}`);
}

/** `..`: the value and everything in it. */
function* recurse(output: Output): Generator<Output> {
  yield output;
  if (typeof output.value === 'object' && output.value !== null) for (const inner of iterate(output)) yield* recurse(inner);
}

function getPath(input: Output, path: Json): Output {
  if (!Array.isArray(path)) throw new FilterError('Path must be specified as an array');
  return path.reduce<Output>(
    (output, key) => (output.value === null ? { value: null, path: output.path && [...output.path, key] } : step(output, key)),
    input,
  );
}

function pathOf({ value, path }: Output): readonly PathStep[] {
  if (path === undefined) throw new FilterError(`Invalid path expression with result ${JSON.stringify(value).slice(0, 30)}`);
  return path;
}
