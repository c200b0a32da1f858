import { evaluate } from './arithmetic.ts';
import type { Assignment } from './ast.ts';
import { type Expander, type ShellArray, type ShellState, variableOf } from './context.ts';
import { CommandError } from './errors.ts';

/** An assignment whose words are expanded. */
export interface Assigned {
  readonly name: string;
  readonly index: string | undefined;
  readonly append: boolean;
  readonly value: string | readonly (readonly [index: string | undefined, text: string])[];
}

export async function expandAssignment({ name, index, append, value }: Assignment, by: Expander): Promise<Assigned> {
  const at = index && (await by.text(index));
  if (!('elements' in value)) return { name, index: at, append, value: await by.text(value) };
  const list: [string | undefined, string][] = [];
  for (const element of value.elements) {
    if (element.index) list.push([await by.text(element.index), await by.text(element.value)]);
    else for (const text of await by.words([element.value])) list.push([undefined, text]);
  }
  return { name, index: at, append, value: list };
}

/** What is between `((` and `))`. @throws CommandError */
export function calculate(expression: string, state: ShellState, says = 'sh: '): bigint {
  const get = (name: string): string => {
    const { bare, index } = placeIn(name);
    return (index === undefined ? variableOf(bare, state) : elementOf(bare, index, state)) ?? '';
  };
  return evaluate(expression, { get, set: (name, value) => setVariable(name, value, state) }, says);
}

/** `name` or `name[index]`. */
function placeIn(text: string): { readonly bare: string; readonly index: string | undefined } {
  const [, bare = text, index] = /^(\w+)\[(.*)\]$/s.exec(text) ?? [];
  return { bare, index };
}

/** @throws CommandError it is read-only, or has no such place */
export function assign({ name, index, append, value }: Assigned, state: ShellState): void {
  refuseConstant(name, state);
  const before = state.arrays.get(name);
  if (typeof value === 'string' && index === undefined && !before) {
    state.variables.set(name, append ? (state.variables.get(name) ?? '') + value : value);
    return;
  }
  const keyed = before?.keyed ?? false;
  const items = new Map(typeof value === 'string' || append ? itemsOf(name, state) : []);
  const put = (at: string | undefined, text: string): void => {
    const key = at === undefined ? nextIndex(items) : placeOf(name, at, { keyed, items }, state);
    items.set(key, append && typeof value === 'string' ? (items.get(key) ?? '') + text : text);
  };
  if (typeof value === 'string') put(index ?? '0', value);
  else if (keyed && value.some(([at]) => at === undefined)) putPairs(value, put);
  else for (const [at, text] of value) put(at, text);
  state.variables.delete(name);
  state.arrays.set(name, { keyed, items: keyed ? items : inOrder(items) });
}

/** `m=(a 1 b 2)` of one with keys. */
function putPairs(value: readonly (readonly [unknown, string])[], put: (at: string, text: string) => void): void {
  for (let at = 0; at < value.length; at += 2) put(value[at]?.[1] ?? '', value[at + 1]?.[1] ?? '');
}

export function setVariable(name: string, value: string, state: ShellState): void {
  const { bare, index } = placeIn(name);
  assign({ name: bare, index, append: false, value }, state);
}

export function setArray(name: string, values: readonly string[], state: ShellState): void {
  assign({ name, index: undefined, append: false, value: values.map((text) => [undefined, text]) }, state);
}

export function elementOf(name: string, index: string, state: ShellState): string | undefined {
  const array = state.arrays.get(name) ?? { keyed: false, items: itemsOf(name, state) };
  return array.items.get(placeOf(name, index, array, state));
}

/** `unset name`, `unset 'name[index]'`. */
export function unsetVariable(name: string, state: ShellState): void {
  const { bare, index } = placeIn(name);
  const array = state.arrays.get(bare);
  if (state.constants.has(bare)) throw new CommandError(`sh: unset: ${bare}: cannot unset: readonly variable`);
  if (index !== undefined && array) {
    const items = new Map(array.items);
    items.delete(placeOf(bare, index, array, state));
    state.arrays.set(bare, { ...array, items });
    return;
  }
  state.variables.delete(bare);
  state.arrays.delete(bare);
}

export function refuseConstant(name: string, state: ShellState): void {
  if (state.constants.has(name)) throw new CommandError(`sh: ${name}: readonly variable`);
}

function itemsOf(name: string, state: ShellState): ReadonlyMap<string, string> {
  const text = state.variables.get(name);
  return state.arrays.get(name)?.items ?? new Map(text === undefined ? [] : [['0', text]]);
}

/** The key that an index means: of a number below nothing, from the end. */
function placeOf(name: string, index: string, { keyed, items }: ShellArray, state: ShellState): string {
  if (keyed && index !== '') return index;
  const number = keyed ? -1 : Number(calculate(index, state));
  const place = number < 0 && !keyed ? Number(nextIndex(items)) + number : number;
  if (place < 0) throw new CommandError(`sh: ${name}[${index}]: bad array subscript`);
  return String(place);
}

function nextIndex(items: ReadonlyMap<string, string>): string {
  return String([...items.keys()].reduce((most, key) => Math.max(most, Number(key) + 1), 0));
}

function inOrder(items: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...items].sort(([a], [b]) => Number(a) - Number(b)));
}
