import type { Json } from '../../meta/index.ts';

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Text that this reader leaves to the full one. */
class NotPlain extends Error {}

/**
 * Reads the YAML that programs write: block mappings and sequences of simple scalars.
 * Undefined when there is anything else in it, so that a kubeconfig is read without the full reader.
 */
export function readPlainYaml(text: string): Json | undefined {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }));
  if (lines.length === 0) return undefined;
  try {
    const reader = new PlainReader(lines);
    const value = reader.block(0);
    return reader.ended() ? value : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class PlainReader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  ended(): boolean {
    return this.#at >= this.#lines.length;
  }

  block(indent: number): Json {
    return this.#isItem(indent) ? this.#sequence(indent) : this.#mapping(indent);
  }

  #line(indent: number): string | undefined {
    const line = this.#lines[this.#at];
    return line?.indent === indent ? line.text : undefined;
  }

  #isItem(indent: number): boolean {
    return /^-( |$)/.test(this.#line(indent) ?? '');
  }

  #sequence(indent: number): Json {
    const items: Json[] = [];
    while (this.#isItem(indent)) {
      const line = this.#line(indent) ?? '';
      const rest = line.slice(1).trimStart();
      const inner = indent + line.length - rest.length;
      if (rest === '') throw new NotPlain();
      if (/^["']?[\w.-]+["']?:( |$)/.test(rest)) {
        this.#lines[this.#at] = { indent: inner, text: rest };
        items.push(this.block(inner));
      } else {
        this.#at++;
        items.push(scalar(rest));
      }
    }
    return items;
  }

  #mapping(indent: number): Json {
    const members: [string, Json][] = [];
    for (let line = this.#line(indent); line !== undefined && !this.#isItem(indent); line = this.#line(indent)) {
      const found = /^([A-Za-z][\w.-]*):(?: +(.*))?$/.exec(line);
      const name = found?.[1];
      if (name === undefined || members.some(([other]) => other === name)) throw new NotPlain();
      this.#at++;
      members.push([name, found?.[2] === undefined ? this.#below(indent) : scalar(found[2])]);
    }
    if (members.length === 0) throw new NotPlain();
    return Object.fromEntries(members);
  }

  /** What follows `name:` on the next lines; a sequence may start in the same column. */
  #below(indent: number): Json {
    const next = this.#lines[this.#at];
    if (next && (next.indent > indent || this.#isItem(indent))) return this.block(next.indent);
    return null;
  }
}

const words: Readonly<Record<string, Json>> = { null: null, true: true, false: false, '{}': {}, '[]': [], '""': '', "''": '' };

function scalar(text: string): Json {
  const word = Object.hasOwn(words, text) ? words[text] : undefined;
  if (word !== undefined) return word;
  const quoted = /^"([^"\\]*)"$/.exec(text) ?? /^'([^']*)'$/.exec(text);
  if (quoted) return quoted[1] ?? '';
  // Plain words that no YAML reader takes for a number, a boolean or a date.
  const plain = /^[A-Za-z/][\w@/.:+=-]*$/.test(text) && !text.endsWith(':');
  if (plain && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text)) return text;
  throw new NotPlain();
}
