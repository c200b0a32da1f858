import type { Invocation, Program } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readAll } from '../streams.ts';
import { checkWritable, evaluateArithmetic, setArray, setVariable, unsetVariable } from '../variables.ts';

/** Built-in commands for variables. The interpreter makes the assignments of declaring commands. */
export const variablePrograms: Readonly<Record<string, Program>> = {
  declare,
  typeset: declare,
  local: declare,
  readonly: declareConstant,
  let({ args, state }) {
    const last = args.map((arg) => evaluateArithmetic(arg, state, 'sh: let: ')).at(-1);
    return last === undefined || last === 0n ? 1 : 0;
  },
  unset({ args, state }) {
    const only = args[0] === '-f' || args[0] === '-v' ? args[0] : '';
    for (const name of only === '' ? args : args.slice(1)) {
      if (only !== '-f') unsetVariable(name, state);
      if (only !== '-v') state.functions.delete(name);
      state.exported.delete(name);
    }
    return 0;
  },
  read: readLine,
  mapfile: readLines,
  readarray: readLines,
};

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

function declare(invocation: Invocation): number {
  const { name: program, args, state } = invocation;
  const flags = args.filter((arg) => /^[-+]\w/.test(arg)).join('');
  const names = args.filter((arg) => !/^[-+]\w/.test(arg));
  const { outerVariables } = state;
  if (program === 'local' && !outerVariables) throw new CommandError('sh: local: can only be used in a function');
  if (names.length === 0 || flags.includes('p')) return printDeclarations(names, invocation);
  for (const name of names) {
    if (!isName(name)) throw new CommandError(`sh: ${program}: \`${name}': not a valid identifier`);
    if (flags.includes('r')) checkWritable(name, state);
    if (outerVariables && !flags.includes('g') && !outerVariables.has(name)) {
      outerVariables.set(name, { text: state.variables.get(name), array: state.arrays.get(name) });
      state.variables.delete(name);
      state.arrays.delete(name);
    }
    if (/[aA]/.test(flags) && !state.arrays.has(name)) state.arrays.set(name, { isAssociative: flags.includes('A'), items: new Map() });
    if (flags.includes('x')) state.exported.add(name);
  }
  return 0;
}

function declareConstant({ args, state, out }: Invocation): number {
  const names = args.filter((arg) => !arg.startsWith('-'));
  if (names.length === 0)
    for (const name of [...state.readonlyNames].sort()) out(`declare -r ${name}=${quoteValue(state.variables.get(name) ?? '')}\n`);
  // A variable assigned on the same line becomes read-only after the assignment.
  for (const name of names) if (state.variables.has(name) || state.arrays.has(name)) checkWritable(name, state);
  return 0;
}

function quoteValue(text: string): string {
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** `declare -p`: prints the commands that recreate the variables. */
function printDeclarations(names: readonly string[], { name: program, state, out, err }: Invocation): number {
  const all = names.length > 0 ? names : [...new Set([...state.variables.keys(), ...state.arrays.keys()])].sort();
  let code = 0;
  for (const name of all) {
    const declaration = declarationOf(name, state);
    if (declaration !== undefined) out(`${declaration}\n`);
    else {
      err(`sh: ${program}: ${name}: not found\n`);
      code = 1;
    }
  }
  return code;
}

/** The command that recreates a variable; undefined when there is none of this name. */
function declarationOf(name: string, state: Invocation['state']): string | undefined {
  const [array, text] = [state.arrays.get(name), state.variables.get(name)];
  const attributes = (state.readonlyNames.has(name) ? 'r' : '') + (state.exported.has(name) ? 'x' : '');
  if (!array) return text === undefined ? undefined : `declare -${attributes || '-'} ${name}=${quoteValue(text)}`;
  const items = [...array.items].map(([key, value]) => `[${key}]=${quoteValue(value)}`).join(' ');
  const flags = `${array.isAssociative ? 'A' : 'a'}${attributes}`;
  return `declare -${flags} ${name}=(${items}${array.isAssociative && items !== '' ? ' ' : ''})`;
}

/** Reads a line of standard input. Pushes the rest back to the stream for the next reader. */
async function readLine({ args, input, state, environment, err }: Invocation): Promise<number> {
  const { raw, array, names } = readReadArguments(args);
  const invalid = names.find((name) => !isName(name));
  if (invalid !== undefined) {
    err(`sh: read: \`${invalid}': not a valid identifier\n`);
    return 1;
  }
  const { line, ended } = await readInputLine(input, raw);
  const separators = environment.get('IFS') ?? state.variables.get('IFS') ?? ' \t\n';
  const [first = 'REPLY'] = names;
  if (names.length === 0) setVariable(first, line, state);
  else if (array) setArray(first, splitFields(line, separators, Number.POSITIVE_INFINITY), state);
  else {
    const fields = splitFields(line, separators, names.length);
    for (const [at, name] of names.entries()) setVariable(name, fields[at] ?? '', state);
  }
  return ended ? 1 : 0;
}

interface ReadArguments {
  /** Backslashes are plain characters. */
  readonly raw: boolean;
  /** The fields are stored in an array. */
  readonly array: boolean;
  readonly names: readonly string[];
}

/** The arguments of `read`. Values of other options (`-p PROMPT`) are skipped. */
function readReadArguments(args: readonly string[]): ReadArguments {
  let [raw, array, isValue] = [false, false, false];
  const names: string[] = [];
  for (const arg of args) {
    if (isValue) isValue = false;
    else if (!arg.startsWith('-')) names.push(arg);
    else {
      raw ||= arg.includes('r');
      array ||= arg.includes('a');
      isValue = /[pdnt]$/.test(arg);
    }
  }
  return { raw, array, names };
}

async function readInputLine(input: Invocation['input'], raw: boolean): Promise<{ readonly line: string; readonly ended: boolean }> {
  const decoder = new TextDecoder();
  let line = '';
  for (let chunk = await input.read(); chunk; chunk = await input.read()) {
    const end = chunk.indexOf(10);
    line += decoder.decode(end < 0 ? chunk : chunk.subarray(0, end), { stream: true });
    if (end < 0) continue;
    input.unread(chunk.subarray(end + 1));
    if (raw || !/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return { line: raw ? line : line.replace(/\\(.)/gs, '$1'), ended: false };
    line = line.slice(0, -1);
  }
  return { line, ended: true };
}

/** Splits a line into fields for `read`: the last name gets the rest. Blanks are collapsed, other separators are not. */
function splitFields(line: string, separators: string, most: number): readonly string[] {
  const isBlank = (char: string | undefined): boolean => char !== undefined && ' \t\n'.includes(char) && separators.includes(char);
  const fields: string[] = [];
  let at = 0;
  const skip = (): void => {
    while (isBlank(line[at])) at++;
  };
  for (skip(); at < line.length; ) {
    const from = at;
    if (fields.length === most - 1) {
      let end = line.length;
      while (end > from && isBlank(line[end - 1])) end--;
      return [...fields, line.slice(from, end)];
    }
    while (at < line.length && !separators.includes(line[at] ?? '')) at++;
    fields.push(line.slice(from, at));
    skip();
    if (at < line.length && separators.includes(line[at] ?? '') && !isBlank(line[at])) at++;
    skip();
  }
  return fields;
}

/** `mapfile -t lines`. */
async function readLines({ args, input, state }: Invocation): Promise<number> {
  const name = args.find((arg) => !arg.startsWith('-')) ?? 'MAPFILE';
  const text = new TextDecoder().decode(await readAll(input));
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  setArray(name, args.includes('-t') ? lines.map((line) => line.replace(/\n$/, '')) : lines, state);
  return 0;
}
