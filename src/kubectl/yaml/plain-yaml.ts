import type { Json } from '../../meta/index.ts';

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Text that needs the full reader. */
class NotPlainError extends Error {}

/**
 * Reads the YAML that programs write: block mappings and sequences of simple scalars. Undefined for anything else. Avoids loading the full
 * reader for a kubeconfig.
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
    if (error instanceof NotPlainError) return undefined;
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
      if (rest === '') throw new NotPlainError();
      if (/^["']?[\w.-]+["']?:( |$)/.test(rest)) {
        this.#lines[this.#at] = { indent: inner, text: rest };
        items.push(this.block(inner));
      } else {
        this.#at++;
        items.push(parseScalar(rest));
      }
    }
    return items;
  }

  #mapping(indent: number): Json {
    const members: [string, Json][] = [];
    for (let line = this.#line(indent); line !== undefined && !this.#isItem(indent); line = this.#line(indent)) {
      const found = /^([A-Za-z][\w.-]*):(?: +(.*))?$/.exec(line);
      const name = found?.[1];
      if (name === undefined || members.some(([other]) => other === name)) throw new NotPlainError();
      this.#at++;
      members.push([name, found?.[2] === undefined ? this.#valueBelow(indent) : parseScalar(found[2])]);
    }
    if (members.length === 0) throw new NotPlainError();
    return Object.fromEntries(members);
  }

  /** Reads the value of `name:` on the next lines; a sequence may start in the same column. */
  #valueBelow(indent: number): Json {
    const next = this.#lines[this.#at];
    if (next && (next.indent > indent || this.#isItem(indent))) return this.block(next.indent);
    return null;
  }
}

const keywords: Readonly<Record<string, Json>> = { null: null, true: true, false: false, '{}': {}, '[]': [], '""': '', "''": '' };

function parseScalar(text: string): Json {
  const word = Object.hasOwn(keywords, text) ? keywords[text] : undefined;
  if (word !== undefined) return word;
  const quoted = /^"([^"\\]*)"$/.exec(text) ?? /^'([^']*)'$/.exec(text);
  if (quoted) return quoted[1] ?? '';
  // Plain scalars that no YAML reader parses as a number, boolean or date.
  const plain = /^[A-Za-z/][\w@/.:+=-]*$/.test(text) && !text.endsWith(':');
  if (plain && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text)) return text;
  throw new NotPlainError();
}
