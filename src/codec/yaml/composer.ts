import { type Json, JsonSyntaxError } from '../../meta/index.ts';
import { grammarError, YamlSyntaxError } from './cursor.ts';
import { MappingBuilder, type Node, resolveScalar, SequenceBuilder } from './nodes.ts';
import { Scanner, type Token, type TokenKind } from './scanner.ts';

/** A collection under construction. */
interface OpenCollection {
  readonly form: 'block-sequence' | 'indentless' | 'block-mapping' | 'flow-sequence' | 'flow-mapping' | 'pair';
  readonly line: number;
  readonly anchor: string | undefined;
  readonly builder: SequenceBuilder | MappingBuilder;
  first: boolean;
  /** The next part of a mapping. A flow mapping may have a key without a value. */
  next: 'key' | 'bare-key' | 'value' | 'no-value' | 'end';
}

/** `opened`: a collection was started; `closed`: the innermost one is complete. */
type Step = Node | 'opened' | 'closed';

/** The maximum depth of JSON. */
const maxDepth = 10_000;

const emptyScalar: Node = { value: null, size: 1, line: 0, plain: true, text: '' };

export interface Composed {
  readonly value: Json;
  /** `line 4: key "c" already set in map`, in document order. */
  readonly duplicates: readonly string[];
}

/** What words like `yes`, `n` and `off` are; by default booleans. */
export type YamlWords = 'strings' | undefined;

/**
 * Composes the first document of a text without recursion, so that no depth overflows the stack. Grammar and error messages are
 * go-yaml's (v2): syntax errors anywhere take precedence over errors in values.
 */
export class Composer {
  readonly #scanner: Scanner;
  readonly #open: OpenCollection[] = [];
  readonly #anchors = new Map<string, Node | 'open'>();
  readonly #handles = new Map<string, string>([
    ['!', '!'],
    ['!!', 'tag:yaml.org,2002:'],
  ]);
  readonly #duplicates: string[] = [];
  #problem: string | undefined;
  /** The last step; undefined before the first one. */
  #step: Step | undefined;
  /** The bracket at which the JSON would be nested too deeply. */
  #tooDeep: '[' | '{' | undefined;
  #nodes = 0;
  #nodesFromAliases = 0;

  readonly #words: YamlWords;

  constructor(text: string, words?: YamlWords) {
    this.#scanner = new Scanner(text);
    this.#words = words;
  }

  /**
   * Reads at most that many further nodes; undefined when the document has more.
   * @throws YamlSyntaxError; JsonSyntaxError when the JSON would be nested too deeply
   */
  read(maxNodes: number): Composed | undefined {
    const node = this.#document(maxNodes);
    if (!node) return undefined;
    this.#scanner.peek();
    if (this.#problem !== undefined) throw new YamlSyntaxError(this.#problem);
    if (this.#tooDeep) throw new JsonSyntaxError(`invalid character '${this.#tooDeep}' exceeded max depth`);
    return { value: node.value, duplicates: this.#duplicates };
  }

  #is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#scanner.peek().kind);
  }

  #document(maxNodes: number): Node | undefined {
    this.#step ??= this.#start();
    // Nodes of aliases count too: merging them takes as long as reading them.
    const end = this.#nodes + maxNodes;
    for (let steps = 0; steps < maxNodes && this.#nodes < end; steps++) {
      const collection = this.#open.at(-1);
      if (!collection) return this.#step as Node;
      if (this.#step === 'closed') {
        this.#open.pop();
        this.#step = this.#finish(collection);
        if (this.#open.length === 0) return this.#step;
      }
      if (this.#step !== 'opened') this.#accept(this.#open.at(-1) as OpenCollection, this.#step);
      this.#step = this.#advance(this.#open.at(-1) as OpenCollection);
    }
    return undefined;
  }

  /** The first step of the document. */
  #start(): Step {
    if (this.#is('directive', 'document-start')) {
      this.#directives();
      const start = this.#scanner.peek();
      if (start.kind !== 'document-start') throw grammarError('did not find expected <document start>', start.line, 0);
      this.#scanner.next();
      if (this.#is('directive', 'document-start', 'document-end', 'end')) return emptyScalar;
    } else if (this.#is('end')) return emptyScalar;
    return this.#node(true, false);
  }

  #directives(): void {
    while (this.#is('directive')) {
      const { text, line } = this.#scanner.next();
      const [name, first = '', second = ''] = text.split(/\s+/);
      if (name === 'YAML' && first !== '1.1') throw grammarError('found incompatible YAML document', line, 0);
      if (name === 'TAG') this.#handles.set(first, second);
    }
  }

  #finish({ builder, anchor, line }: OpenCollection): Node {
    const node = builder.node(line);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #accept(collection: OpenCollection, node: Node): void {
    const { builder } = collection;
    if (builder instanceof SequenceBuilder) {
      builder.add(node);
      return;
    }
    if (collection.next === 'key' || collection.next === 'bare-key') {
      builder.key(node);
      collection.next = collection.next === 'key' ? 'value' : 'no-value';
    } else {
      builder.value(node);
      collection.next = collection.form === 'pair' ? 'end' : 'key';
    }
  }

  #advance(collection: OpenCollection): Step {
    switch (collection.form) {
      case 'block-sequence':
        return this.#blockItem(collection);
      case 'indentless':
        if (!this.#is('item')) return 'closed';
        this.#scanner.next();
        return this.#nodeUnless(true, false, 'item', 'key', 'value', 'block-end');
      case 'block-mapping':
        return this.#blockMember(collection);
      case 'flow-sequence':
        return this.#flowItem(collection);
      case 'flow-mapping':
        return this.#flowMember(collection);
      case 'pair':
        return this.#pairPart(collection);
    }
  }

  #nodeUnless(block: boolean, indentless: boolean, ...empty: readonly TokenKind[]): Step {
    return this.#is(...empty) ? this.#emptyNode() : this.#node(block, indentless);
  }

  #emptyNode(): Node {
    this.#nodes++;
    return { ...emptyScalar, line: this.#scanner.peek().line };
  }

  #blockItem({ line }: OpenCollection): Step {
    const token = this.#scanner.peek();
    if (token.kind !== 'item' && token.kind !== 'block-end') throw grammarError("did not find expected '-' indicator", token.line, line);
    this.#scanner.next();
    return token.kind === 'block-end' ? 'closed' : this.#nodeUnless(true, false, 'item', 'block-end');
  }

  #blockMember(mapping: OpenCollection): Step {
    const token = this.#scanner.peek();
    if (mapping.next === 'value') {
      if (token.kind !== 'value') return this.#emptyNode();
      this.#scanner.next();
      return this.#nodeUnless(true, true, 'key', 'value', 'block-end');
    }
    if (token.kind !== 'key' && token.kind !== 'block-end') throw grammarError('did not find expected key', token.line, mapping.line);
    this.#scanner.next();
    return token.kind === 'block-end' ? 'closed' : this.#nodeUnless(true, true, 'key', 'value', 'block-end');
  }

  /** Reads past the comma between entries. */
  #entry(collection: OpenCollection, closer: ']' | '}'): TokenKind {
    if (!collection.first && !this.#is(closer)) {
      const token = this.#scanner.peek();
      if (token.kind !== ',') throw grammarError(`did not find expected ',' or '${closer}'`, token.line, collection.line);
      this.#scanner.next();
    }
    collection.first = false;
    return this.#scanner.peek().kind;
  }

  #flowItem(sequence: OpenCollection): Step {
    const kind = this.#entry(sequence, ']');
    if (kind === ']') {
      this.#scanner.next();
      return 'closed';
    }
    if (kind !== 'key') return this.#node(false, false);
    return this.#begin('pair', this.#scanner.next(), undefined, new MappingBuilder(this.#reporter()));
  }

  #flowMember(mapping: OpenCollection): Step {
    if (mapping.next === 'no-value') return this.#emptyNode();
    if (mapping.next === 'value') {
      if (!this.#is('value')) return this.#emptyNode();
      this.#scanner.next();
      return this.#nodeUnless(false, false, ',', '}');
    }
    const kind = this.#entry(mapping, '}');
    if (kind === '}') {
      this.#scanner.next();
      return 'closed';
    }
    if (kind !== 'key') {
      mapping.next = 'bare-key';
      return this.#node(false, false);
    }
    this.#scanner.next();
    return this.#nodeUnless(false, false, 'value', ',', '}');
  }

  #pairPart(pair: OpenCollection): Step {
    if (pair.next === 'end') return 'closed';
    if (pair.next === 'key') {
      if (!this.#is('value', ',', ']')) return this.#node(false, false);
      // As upstream, the token after the question mark is dropped.
      this.#scanner.next();
      return this.#emptyNode();
    }
    if (!this.#is('value')) return this.#emptyNode();
    this.#scanner.next();
    return this.#nodeUnless(false, false, ',', ']');
  }

  /** Starts a node at the next token. */
  #node(block: boolean, indentless: boolean): Step {
    const begin = this.#scanner.peek();
    if (begin.kind === 'alias') return this.#alias(this.#scanner.next().text);
    const { anchor, tag, tagged } = this.#properties();
    const token = this.#scanner.peek();
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const mapping = (): MappingBuilder => new MappingBuilder(this.#reporter());
    if (indentless && token.kind === 'item') return this.#begin('indentless', token, anchor, new SequenceBuilder());
    if (token.kind === 'scalar') return this.#scalar(this.#scanner.next(), tag, anchor);
    if (token.kind === '[') return this.#begin('flow-sequence', this.#scanner.next(), anchor, new SequenceBuilder());
    if (token.kind === '{') return this.#begin('flow-mapping', this.#scanner.next(), anchor, mapping());
    if (block && token.kind === 'block-sequence') return this.#begin('block-sequence', this.#scanner.next(), anchor, new SequenceBuilder());
    if (block && token.kind === 'block-mapping') return this.#begin('block-mapping', this.#scanner.next(), anchor, mapping());
    if (anchor === undefined && !tagged) throw grammarError('did not find expected node content', token.line, begin.line);
    return this.#scalar({ kind: 'scalar', line: begin.line, text: '', plain: true }, tag, anchor);
  }

  #properties(): { readonly anchor: string | undefined; readonly tag: string | undefined; readonly tagged: boolean } {
    let anchor: string | undefined;
    let tag: Token | undefined;
    while ((anchor === undefined && this.#is('anchor')) || (tag === undefined && this.#is('tag'))) {
      const token = this.#scanner.next();
      if (token.kind === 'anchor') anchor = token.text;
      else tag = token;
    }
    return { anchor, tag: tag && this.#resolvedTag(tag), tagged: tag !== undefined };
  }

  #resolvedTag({ text, line }: Token): string {
    if (text.startsWith('!<')) return text.slice(2, -1);
    const handle = /^!(?:[\w-]*!)?/.exec(text)?.[0] ?? '!';
    const prefix = this.#handles.get(handle);
    if (prefix === undefined) throw grammarError('found undefined tag handle', line, line);
    return prefix + text.slice(handle.length);
  }

  #begin(form: OpenCollection['form'], { line }: Token, anchor: string | undefined, builder: OpenCollection['builder']): 'opened' {
    this.#nodes++;
    this.#open.push({ form, line, anchor, builder, first: true, next: 'key' });
    if (this.#open.length > maxDepth) this.#tooDeep ??= builder instanceof SequenceBuilder ? '[' : '{';
    return 'opened';
  }

  #scalar({ text, plain, line }: Token, tag: string | undefined, anchor: string | undefined): Node {
    this.#nodes++;
    const resolved = resolveScalar({ text, plain, tag }, this.#reporter().problem);
    const value = this.#words && typeof resolved === 'boolean' && !/^(true|false)$/i.test(text) ? text : resolved;
    const node: Node = { value, size: 1, line, plain: plain && !tag, text };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #alias(name: string): Node {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlSyntaxError(`yaml: unknown anchor '${name}' referenced`);
    this.#nodes++;
    if (target === 'open') {
      this.#reporter().problem(`yaml: anchor '${name}' value contains itself`);
      return emptyScalar;
    }
    this.#nodes += target.size;
    this.#nodesFromAliases += target.size;
    if (this.#hasExcessiveAliases()) this.#reporter().problem('yaml: document contains excessive aliasing');
    return { ...target, size: target.size + 1, plain: false };
  }

  /** Detects a "billion laughs": beyond 1,000 nodes at most 99 % may come from aliases, less in huge documents (go-yaml's rule). */
  #hasExcessiveAliases(): boolean {
    const allowed = this.#nodes <= 400_000 ? 0.99 : this.#nodes >= 4_000_000 ? 0.1 : 0.99 - (0.89 * (this.#nodes - 400_000)) / 3_600_000;
    return this.#nodesFromAliases > 100 && this.#nodes > 1000 && this.#nodesFromAliases / this.#nodes > allowed;
  }

  #reporter(): { problem(text: string): void; duplicate(text: string): void } {
    return {
      problem: (text) => {
        this.#problem ??= text;
      },
      duplicate: (text) => this.#duplicates.push(text),
    };
  }
}
