import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, Scalar, type YAMLMap } from 'yaml';
import type { Json } from '../meta/index.ts';
import { resolvePlain } from './yaml-words.ts';

export interface ParsedYaml {
  readonly value: Json;
  /** `line 4: key "c" already set in map`, in document order. */
  readonly duplicates: readonly string[];
}

/** Text that is no YAML, told as `yaml: line 2: …`. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

/** As deep as the real server's reader goes. */
const maxDepth = 10_000;

/**
 * Reads the first document of a YAML text into JSON as the real server does: YAML 1.1 words (`yes`, `n`, `off` are booleans),
 * octal and hexadecimal numbers, times stay texts, keys become texts. Duplicate keys are told, the last one stays.
 *
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  try {
    // The failsafe schema leaves every scalar a text: none of the package's own schemas is Go's mixture of 1.1 and 1.2.
    const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, lineCounter: lines, logLevel: 'silent', version: '1.1' });
    const [error] = document.errors.filter(({ code }) => code !== 'MULTIPLE_DOCS');
    if (error) {
      // The first line goes without saying.
      const { line } = lines.linePos(error.pos[0]);
      throw new YamlSyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ''}${sayingOf(error.code, error.message)}`);
    }
    const reader = new TreeReader(lines, (alias) => (isAlias(alias) ? alias.resolve(document) : undefined));
    return { value: document.contents === null ? null : reader.read(document.contents, 0), duplicates: reader.duplicates };
  } catch (error) {
    if (error instanceof RangeError) throw new YamlSyntaxError(`yaml: exceeded max depth of ${maxDepth}`);
    throw error;
  }
}

function sayingOf(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'found character that cannot start any token';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'mapping values are not allowed in this context';
  if (code === 'MISSING_CHAR' && /quote/.test(message)) return 'found unexpected end of stream';
  if (code === 'BAD_INDENT') return 'did not find expected key';
  if (code === 'MISSING_CHAR' || code === 'UNEXPECTED_TOKEN') return "did not find expected ',' or ']'";
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

class TreeReader {
  readonly duplicates: string[] = [];
  readonly #lines: LineCounter;
  readonly #resolve: (alias: unknown) => unknown;
  #nodes = 0;
  #nodesFromAliases = 0;
  #insideAliases = 0;

  constructor(lines: LineCounter, resolve: (alias: unknown) => unknown) {
    this.#lines = lines;
    this.#resolve = resolve;
  }

  read(node: unknown, depth: number): Json {
    this.#count();
    if (depth > maxDepth) throw new YamlSyntaxError(`yaml: exceeded max depth of ${maxDepth}`);
    if (isAlias(node)) {
      const target = this.#resolve(node);
      if (target === undefined) throw new YamlSyntaxError(`yaml: unknown anchor '${node.source}' referenced`);
      this.#insideAliases++;
      const value = this.read(target, depth + 1);
      this.#insideAliases--;
      return value;
    }
    if (isScalar(node)) return resolveScalar(node);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) return this.#readMap(node, depth);
    return null;
  }

  /** Ends a "billion laughs": past 1,000 nodes, at most 99 of 100 may come from aliases, and fewer in huge documents (go-yaml's rule). */
  #count(): void {
    this.#nodes++;
    if (this.#insideAliases > 0) this.#nodesFromAliases++;
    const allowed = this.#nodes <= 400_000 ? 0.99 : this.#nodes >= 4_000_000 ? 0.1 : 0.99 - (0.89 * (this.#nodes - 400_000)) / 3_600_000;
    if (this.#nodesFromAliases > 100 && this.#nodes > 1000 && this.#nodesFromAliases / this.#nodes > allowed) {
      throw new YamlSyntaxError('yaml: document contains excessive aliasing');
    }
  }

  #readMap(map: YAMLMap, depth: number): Json {
    const out: Record<string, Json> = {};
    const merged: Json[] = [];
    for (const { key, value } of map.items) {
      const name = this.#readKey(key);
      if (name === undefined) {
        merged.push(this.read(value, depth + 1));
        continue;
      }
      if (Object.hasOwn(out, name)) this.duplicates.push(`line ${this.#lineOf(key)}: key ${JSON.stringify(name)} already set in map`);
      put(out, name, this.read(value, depth + 1));
    }
    for (const source of merged.flat()) {
      if (source === null || typeof source !== 'object' || Array.isArray(source))
        throw new YamlSyntaxError('yaml: map merge requires map or sequence of maps as the value');
      for (const [name, value] of Object.entries(source)) if (!Object.hasOwn(out, name)) put(out, name, value as Json);
    }
    return out;
  }

  /** Undefined for the merge key `<<`. */
  #readKey(key: unknown): string | undefined {
    const node = isAlias(key) ? this.#resolve(key) : key;
    if (!isScalar(node)) throw new YamlSyntaxError('yaml: invalid map key');
    if (node.type === Scalar.PLAIN && node.source === '<<') return undefined;
    const value = resolveScalar(node);
    return typeof value === 'string' ? value : String(value);
  }

  #lineOf(key: unknown): number {
    const offset = isScalar(key) || isAlias(key) ? key.range?.[0] : undefined;
    return this.#lines.linePos(offset ?? 0).line;
  }
}

function put(into: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__') Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
  else into[name] = value;
}

/** The value of a scalar by go-yaml's rules (resolve.go): only plain ones are more than text. */
function resolveScalar(node: Scalar): Json {
  const text = typeof node.value === 'string' ? node.value : String(node.value ?? '');
  const tag = node.tag;
  if (tag === 'tag:yaml.org,2002:binary' || tag === '!!binary') return decodeBinary(text);
  if (tag !== undefined && /str$/.test(tag)) return text;
  if (node.type !== Scalar.PLAIN && tag === undefined) return text;
  const value = resolvePlain(text);
  if (typeof value === 'object' && value !== null && 'notFinite' in value)
    throw new YamlSyntaxError(`json: unsupported value: ${String(value.notFinite)}`);
  return value;
}

function decodeBinary(text: string): string {
  try {
    return atob(text.replace(/\s/g, ''));
  } catch {
    throw new YamlSyntaxError('yaml: !!binary value contains invalid base64 data');
  }
}
