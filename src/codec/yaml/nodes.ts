import { goQuote, isJsonObject, type Json, setMember } from '../../meta/index.ts';
import { resolvePlain } from '../yaml-plain-scalars.ts';

/** A composed value with its number of nodes, aliases resolved. */
export interface Node {
  readonly value: Json;
  readonly size: number;
  /** From zero. */
  readonly line: number;
  /** A scalar without quotation marks and tag. */
  readonly plain: boolean;
  readonly text: string;
}

/** Receives errors in values. */
export interface ErrorReporter {
  problem(text: string): void;
  duplicate(text: string): void;
}

export class SequenceBuilder {
  readonly #items: Json[] = [];
  #size = 1;

  add({ value, size }: Node): void {
    this.#items.push(value);
    this.#size += size;
  }

  node(line: number): Node {
    return { value: this.#items, size: this.#size, line, plain: false, text: '' };
  }
}

export class MappingBuilder {
  readonly #reporter: ErrorReporter;
  readonly #members: Record<string, Json> = {};
  #size = 1;
  #key: Node | undefined;

  constructor(reporter: ErrorReporter) {
    this.#reporter = reporter;
  }

  key(key: Node): void {
    this.#key = key;
    this.#size += key.size;
  }

  value(node: Node): void {
    this.#size += node.size;
    const key = this.#key;
    if (!key) return;
    if (key.plain && key.text === '<<') this.#merge(node);
    else this.#put(key, node);
  }

  #put(key: Node, node: Node): void {
    const name = this.#nameOf(key, node.value);
    if (Object.hasOwn(this.#members, name)) {
      const shown = typeof key.value === 'string' ? goQuote(name) : name;
      this.#reporter.duplicate(`line ${node.line + 1}: key ${shown} already set in map`);
    }
    setMember(this.#members, name, node.value);
  }

  node(line: number): Node {
    return { value: this.#members, size: this.#size, line, plain: false, text: '' };
  }

  #nameOf({ value }: Node, of: Json): string {
    if (typeof value === 'object' && value !== null) this.#reporter.problem(`yaml: invalid map key: ${goSyntax(value)}`);
    if (value === null) this.#reporter.problem(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(of)}`);
    return typeof value === 'string' ? value : String(value);
  }

  #merge({ value }: Node): void {
    const sources = Array.isArray(value) ? value.toReversed() : [value];
    for (const source of sources as readonly Json[]) {
      if (!isJsonObject(source)) {
        this.#reporter.problem('yaml: map merge requires map or sequence of maps as the value');
        return;
      }
      for (const [name, member = null] of Object.entries(source)) setMember(this.#members, name, member);
    }
  }
}

/** Go's `%#v` format of a value. */
function goSyntax(value: Json): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member = null]) => `${goQuote(name)}:${goSyntax(member)}`);
    return `map[interface {}]interface {}{${members.join(', ')}}`;
  }
  if (value === null) return '<nil>';
  return typeof value === 'string' ? goQuote(value) : String(value);
}

const standard = 'tag:yaml.org,2002:';
const typed: ReadonlySet<string> = new Set(['bool', 'int', 'float', 'null', 'timestamp']);

interface TaggedText {
  readonly text: string;
  readonly plain: boolean;
  readonly tag: string | undefined;
}

/** Resolves a scalar by go-yaml's rules (resolve.go): only plain and tagged ones can be other than strings. */
export function resolveScalar({ text, plain, tag }: TaggedText, problem: ErrorReporter['problem']): Json {
  const kind = tag?.startsWith(standard) ? tag.slice(standard.length) : undefined;
  if (kind === 'binary') return decodeBinary(text, problem);
  if (tag === undefined ? !plain : kind === undefined || !typed.has(kind)) return text;
  const resolved = resolvePlain(text);
  const notFinite = typeof resolved === 'object' && resolved !== null && 'notFinite' in resolved;
  const value = notFinite ? null : (resolved as Json);
  const found = notFinite ? 'float' : kindOf(value);
  if (kind !== undefined && found !== kind && !(kind === 'float' && found === 'int') && kind !== 'timestamp')
    problem(`yaml: cannot decode !!${found} \`${text}\` as a !!${kind}`);
  if (notFinite) problem(`json: unsupported value: ${String((resolved as { readonly notFinite: string }).notFinite)}`);
  return value;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'int' : 'float') : 'str';
}

function decodeBinary(text: string, problem: ErrorReporter['problem']): string {
  try {
    return atob(text.replace(/\s/g, ''));
  } catch {
    problem('yaml: !!binary value contains invalid base64 data');
    return '';
  }
}
