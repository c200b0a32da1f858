import { evaluate } from './arithmetic.ts';
import type { Assignment } from './ast.ts';
import { type Expander, getVariable, type ShellArray, type ShellState } from './context.ts';
import { CommandError } from './errors.ts';

/** An assignment with expanded words. */
export interface ExpandedAssignment {
  readonly name: string;
  readonly index: string | undefined;
  readonly append: boolean;
  readonly value: string | readonly (readonly [index: string | undefined, text: string])[];
}

export async function expandAssignment({ name, index, append, value }: Assignment, expander: Expander): Promise<ExpandedAssignment> {
  const at = index && (await expander.text(index));
  if (!('elements' in value)) return { name, index: at, append, value: await expander.text(value) };
  const list: [string | undefined, string][] = [];
  for (const element of value.elements) {
    if (element.index) list.push([await expander.text(element.index), await expander.text(element.value)]);
    else for (const text of await expander.words([element.value])) list.push([undefined, text]);
  }
  return { name, index: at, append, value: list };
}

/** Evaluates the content of `((…))`. @throws CommandError */
export function evaluateArithmetic(expression: string, state: ShellState, errorPrefix = 'sh: '): bigint {
  const get = (name: string): string => {
    const { bare, index } = parseReference(name);
    return (index === undefined ? getVariable(bare, state) : elementOf(bare, index, state)) ?? '';
  };
  return evaluate(expression, { get, set: (name, value) => setVariable(name, value, state) }, errorPrefix);
}

/** `name` or `name[index]`. */
function parseReference(text: string): { readonly bare: string; readonly index: string | undefined } {
  const [, bare = text, index] = /^(\w+)\[(.*)\]$/s.exec(text) ?? [];
  return { bare, index };
}

/** @throws CommandError when it is read-only or the index is invalid */
export function assign({ name, index, append, value }: ExpandedAssignment, state: ShellState): void {
  checkWritable(name, state);
  const before = state.arrays.get(name);
  if (typeof value === 'string' && index === undefined && !before) {
    state.variables.set(name, append ? (state.variables.get(name) ?? '') + value : value);
    return;
  }
  const isAssociative = before?.isAssociative ?? false;
  const items = new Map(typeof value === 'string' || append ? itemsOf(name, state) : []);
  const put = (at: string | undefined, text: string): void => {
    const key = at === undefined ? nextIndex(items) : resolveIndex(name, at, { isAssociative, items }, state);
    items.set(key, append && typeof value === 'string' ? (items.get(key) ?? '') + text : text);
  };
  if (typeof value === 'string') put(index ?? '0', value);
  else if (isAssociative && value.some(([at]) => at === undefined)) assignPairs(value, put);
  else for (const [at, text] of value) put(at, text);
  state.variables.delete(name);
  state.arrays.set(name, { isAssociative, items: isAssociative ? items : sortByIndex(items) });
}

/** `m=(a 1 b 2)` for an associative array. */
function assignPairs(value: readonly (readonly [unknown, string])[], put: (at: string, text: string) => void): void {
  for (let at = 0; at < value.length; at += 2) put(value[at]?.[1] ?? '', value[at + 1]?.[1] ?? '');
}

export function setVariable(name: string, value: string, state: ShellState): void {
  const { bare, index } = parseReference(name);
  assign({ name: bare, index, append: false, value }, state);
}

export function setArray(name: string, values: readonly string[], state: ShellState): void {
  assign({ name, index: undefined, append: false, value: values.map((text) => [undefined, text]) }, state);
}

export function elementOf(name: string, index: string, state: ShellState): string | undefined {
  const array = state.arrays.get(name) ?? { isAssociative: false, items: itemsOf(name, state) };
  return array.items.get(resolveIndex(name, index, array, state));
}

/** `unset name`, `unset 'name[index]'`. */
export function unsetVariable(name: string, state: ShellState): void {
  const { bare, index } = parseReference(name);
  const array = state.arrays.get(bare);
  if (state.readonlyNames.has(bare)) throw new CommandError(`sh: unset: ${bare}: cannot unset: readonly variable`);
  if (index !== undefined && array) {
    const items = new Map(array.items);
    items.delete(resolveIndex(bare, index, array, state));
    state.arrays.set(bare, { ...array, items });
    return;
  }
  state.variables.delete(bare);
  state.arrays.delete(bare);
}

export function checkWritable(name: string, state: ShellState): void {
  if (state.readonlyNames.has(name)) throw new CommandError(`sh: ${name}: readonly variable`);
}

function itemsOf(name: string, state: ShellState): ReadonlyMap<string, string> {
  const text = state.variables.get(name);
  return state.arrays.get(name)?.items ?? new Map(text === undefined ? [] : [['0', text]]);
}

/** The key of an index; negative numbers count from the end. */
function resolveIndex(name: string, index: string, { isAssociative, items }: ShellArray, state: ShellState): string {
  if (isAssociative && index !== '') return index;
  const number = isAssociative ? -1 : Number(evaluateArithmetic(index, state));
  const place = number < 0 && !isAssociative ? Number(nextIndex(items)) + number : number;
  if (place < 0) throw new CommandError(`sh: ${name}[${index}]: bad array subscript`);
  return String(place);
}

function nextIndex(items: ReadonlyMap<string, string>): string {
  return String([...items.keys()].reduce((most, key) => Math.max(most, Number(key) + 1), 0));
}

function sortByIndex(items: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...items].sort(([a], [b]) => Number(a) - Number(b)));
}
