import type { Json } from '../../meta/index.ts';
import { openInputs } from '../builtins/input-files.ts';
import type { Invocation } from '../context.ts';
import { readText } from '../streams.ts';
import type { JqOptions } from './options.ts';

/** Input that is not JSON. */
export class InputError extends Error {}

/** The values that the filter is applied to, one after the other. */
export interface Inputs {
  /** @throws InputError */
  next(): Json | undefined;
  /** `<stdin>:3`: the file, and the number of lines read so far. */
  readonly place: string;
}

/** Undefined when a file is missing, which is reported. */
export async function openJsonInputs(
  call: Invocation,
  { files, isRawInput, isSlurp, isNullInput }: JqOptions,
): Promise<Inputs | undefined> {
  const sources = isNullInput && files.length === 0 && !isRawInput ? [] : await openInputs(call, files);
  if (sources.length < files.length) return undefined;
  const texts: { readonly name: string; readonly text: string }[] = [];
  for (const { name, source } of sources) texts.push({ name: name === '-' ? '<stdin>' : name, text: await readText(source) });
  const reader = new InputReader(texts);
  const values = isRawInput ? reader.lines() : reader.values();
  if (!isSlurp) return reader.over(values);
  return reader.over(slurp(values, isRawInput, texts));
}

function* slurp(values: Iterable<Json>, isRaw: boolean, texts: readonly { readonly text: string }[]): Generator<Json> {
  yield isRaw ? texts.map(({ text }) => text).join('') : [...values];
}

class InputReader {
  readonly #texts: readonly { readonly name: string; readonly text: string }[];
  place = '<unknown>';

  constructor(texts: readonly { readonly name: string; readonly text: string }[]) {
    this.#texts = texts;
  }

  over(values: Iterable<Json>): Inputs {
    const iterator = values[Symbol.iterator]();
    const reader = this;
    return {
      next: () => iterator.next().value,
      get place() {
        return reader.place;
      },
    };
  }

  *lines(): Generator<Json> {
    for (const { text } of this.#texts) for (const line of text.replace(/\n$/, '').split('\n')) if (text !== '') yield line;
  }

  *values(): Generator<Json> {
    for (const { name, text } of this.#texts) {
      let lines = 0;
      let counted = 0;
      for (const { value, end } of readValues(text)) {
        // The line that ends the value has been read, too.
        const until = text.indexOf('\n', end);
        for (; counted < (until < 0 ? text.length : until + 1); counted++) if (text[counted] === '\n') lines++;
        this.place = `${name}:${lines}`;
        yield value;
      }
    }
  }
}

const separators = /\s*/y;
const token = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]|[^\s"{}[\]]+|\s+/y;

/** The values of a text with JSON values in a row. Linear in its length. */
export function* readValues(text: string): Generator<{ readonly value: Json; readonly end: number }> {
  for (let at = skip(text, 0); at < text.length; ) {
    const end = endOfValue(text, at);
    yield { value: parseValue(text, at, end), end };
    at = skip(text, end);
  }
}

function skip(text: string, from: number): number {
  separators.lastIndex = from;
  separators.exec(text);
  return separators.lastIndex;
}

/** The end of the value that begins at an offset: of its last bracket, or of its token. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  token.lastIndex = from;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [part] = found;
    if (part === '{' || part === '[') depth++;
    else if (part === '}' || part === ']') depth--;
    if (depth <= 0) return token.lastIndex;
  }
  const lines = text.split('\n');
  throw new InputError(`Unfinished JSON term at EOF at line ${lines.length}, column ${lines.at(-1)?.length ?? 0}`);
}

function parseValue(text: string, from: number, end: number): Json {
  try {
    return JSON.parse(text.slice(from, end));
  } catch {
    const lines = text.slice(0, end).split('\n');
    throw new InputError(`Invalid literal at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`);
  }
}
