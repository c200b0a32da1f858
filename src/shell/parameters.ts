import type { Parameter } from './ast.ts';
import { type Expander, getVariable, type ShellState } from './context.ts';
import { CommandError } from './errors.ts';
import { globToRegExp } from './glob.ts';
import { elementOf, evaluateArithmetic, setVariable } from './variables.ts';

const isAll = (text: string): boolean => text === '@' || text === '*';

/** `${…}` with an operator. Returns several values for `@` and `*`. */
export async function expandParameter(part: Parameter, expander: Expander): Promise<readonly string[]> {
  const { state } = expander;
  if (part.operator === 'name') return expandIndirect(part, expander);
  const index = part.index && (await expander.text(part.index));
  const all = isAll(index ?? part.name);
  const values = valuesOf(part.name, index, state);
  switch (part.operator) {
    case 'length':
      return [String(all ? values.length : [...(values[0] ?? '')].length)];
    case '':
      return values;
    case ':':
      return sliceValues(values, all ? part.name : undefined, await expander.text(part.word), state);
    case '#':
    case '##':
    case '%':
    case '%%': {
      const pattern = await expander.pattern(part.word);
      return values.map((value) => trim(value, part.operator, pattern));
    }
    case '^':
    case '^^':
    case ',':
    case ',,':
      return values.map((value) => changeCase(value, part.operator));
    default:
      return part.operator.startsWith('/') ? substituteValues(values, part, expander) : applyDefault(values, part, expander);
  }
}

function valuesOf(name: string, index: string | undefined, state: ShellState): readonly string[] {
  if (isAll(name)) return state.positional;
  if (index !== undefined && isAll(index)) {
    const items = state.arrays.get(name)?.items;
    const text = state.variables.get(name);
    return items ? [...items.values()] : text === undefined ? [] : [text];
  }
  const value = index === undefined ? getVariable(name, state) : elementOf(name, index, state);
  return value === undefined ? [] : [value];
}

/** `${!name}` is the value of the named variable, `${!name[@]}` the keys. */
async function expandIndirect({ name, index }: Parameter, expander: Expander): Promise<readonly string[]> {
  if (index !== undefined && isAll(await expander.text(index))) return [...(expander.state.arrays.get(name)?.items.keys() ?? [])];
  const [other = '', at] = (getVariable(name, expander.state) ?? '').split(/[[\]]/);
  return valuesOf(other, at, expander.state);
}

async function applyDefault(values: readonly string[], part: Parameter, expander: Expander): Promise<readonly string[]> {
  const set = part.operator.startsWith(':') ? values.some((value) => value !== '') : values.length > 0;
  const kind = part.operator.at(-1);
  if (kind === '+') return set ? [await expander.text(part.word)] : [];
  if (set) return values;
  const text = await expander.text(part.word);
  if (kind === '?') throw new CommandError(`sh: ${part.name}: ${text || 'parameter null or not set'}`);
  if (kind === '=') setVariable(part.name, text, expander.state);
  return [text];
}

/** `:from:count`; by elements for an array. `$0` precedes the positional parameters. */
function sliceValues(values: readonly string[], all: string | undefined, range: string, state: ShellState): readonly string[] {
  const [from = '', count] = range.split(/:(.*)/s);
  const list = all === undefined ? [...(values[0] ?? '')] : isAll(all) ? ['sh', ...values] : values;
  const start = Number(evaluateArithmetic(from, state));
  const first = start < 0 ? list.length + start : start;
  const length = count === undefined ? list.length : Number(evaluateArithmetic(count, state));
  const end = length < 0 ? list.length + length : first + length;
  if (length < 0 && (all !== undefined || end < first)) throw new CommandError(`sh: ${count}: substring expression < 0`);
  const part = first < 0 ? [] : list.slice(first, end);
  return all === undefined ? [part.join('')] : part;
}

function trim(value: string, operator: string, matcher: RegExp): string {
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    const part = operator.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length);
    if (matcher.test(part)) return operator.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function changeCase(value: string, operator: string): string {
  const change = (text: string): string => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

/** `/pattern/text`, `//` replaces all, `/#` at the start, `/%` at the end. */
async function substituteValues(values: readonly string[], { operator, word }: Parameter, expander: Expander): Promise<readonly string[]> {
  const text = await expander.text(word);
  const cut = text.replace(/\\\//g, '\0\0').indexOf('/');
  const [pattern, other] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
  const source = globToRegExp(pattern.replaceAll('\\/', '/')).source.slice(1, -1);
  if (source === '') return values;
  const [before, after] = [operator === '/#' ? '^' : '', operator === '/%' ? '$' : ''];
  const matcher = new RegExp(before + source + after, operator === '//' ? 'gs' : 's');
  return values.map((value) => value.replace(matcher, () => other));
}
