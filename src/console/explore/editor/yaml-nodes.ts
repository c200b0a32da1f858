import type { SyntaxNode, Tree } from '@lezer/common';

/** A YAML text as nodes with positions. Invalid parts are omitted. */
export type YamlNode =
  | { readonly kind: 'map'; readonly from: number; readonly to: number; readonly entries: readonly YamlEntry[] }
  | { readonly kind: 'list'; readonly from: number; readonly to: number; readonly items: readonly YamlNode[] }
  | { readonly kind: 'scalar'; readonly from: number; readonly to: number; readonly text: string; readonly quoted: boolean }
  /** An alias or a tag, which is not resolved. */
  | { readonly kind: 'other'; readonly from: number; readonly to: number };

export interface YamlEntry {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Undefined when nothing follows the colon. */
  readonly value: YamlNode | undefined;
}

/** The root nodes of the non-empty documents of a text. */
export function readDocuments(tree: Tree, text: string): readonly YamlNode[] {
  const roots: YamlNode[] = [];
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    if (node.name !== 'Document') continue;
    const root = firstValue(node, text);
    if (root !== undefined) roots.push(root);
  }
  return roots;
}

const valueNames = new Set([
  'BlockMapping',
  'FlowMapping',
  'BlockSequence',
  'FlowSequence',
  'Literal',
  'QuotedLiteral',
  'BlockLiteral',
  'Anchored',
  'Tagged',
  'Alias',
]);

function firstValue(parent: SyntaxNode, text: string): YamlNode | undefined {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) if (valueNames.has(node.name)) return readNode(node, text);
  return undefined;
}

function readNode(node: SyntaxNode, text: string): YamlNode {
  const { from, to, name } = node;
  if (name.endsWith('Mapping')) return { kind: 'map', from, to, entries: children(node, 'Pair').flatMap((pair) => readEntry(pair, text)) };
  if (name.endsWith('Sequence')) {
    return { kind: 'list', from, to, items: children(node, 'Item').flatMap((item) => firstValue(item, text) ?? []) };
  }
  if (name === 'Anchored') return firstValue(node, text) ?? { kind: 'other', from, to };
  if (name === 'Literal') return { kind: 'scalar', from, to, text: text.slice(from, to), quoted: false };
  if (name === 'QuotedLiteral') return { kind: 'scalar', from, to, text: text.slice(from + 1, to - 1), quoted: true };
  if (name === 'BlockLiteral') return { kind: 'scalar', from, to, text: text.slice(from, to), quoted: true };
  return { kind: 'other', from, to };
}

function readEntry(pair: SyntaxNode, text: string): YamlEntry[] {
  const key = pair.getChild('Key');
  if (key === null) return [];
  const name = text.slice(key.from, key.to).replace(/^(["'])(.*)\1$/s, '$2');
  return [{ name, from: key.from, to: key.to, value: firstValue(pair, text) }];
}

function children(node: SyntaxNode, name: string): SyntaxNode[] {
  return node.getChildren(name);
}

/** The text of a scalar member, or empty. */
export function scalarAt(node: YamlNode | undefined, name: string): string {
  const value = node?.kind === 'map' ? node.entries.find((entry) => entry.name === name)?.value : undefined;
  return value?.kind === 'scalar' ? value.text : '';
}
