import { ownMember } from '../../meta/index.ts';

const keywords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const escapes: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };
const unescapes: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The identifier of a property: `a-b` is `a__dash__b`; undefined when it cannot be escaped. */
export function escapeName(name: string): string | undefined {
  if (name === '' || /^\d/.test(name)) return undefined;
  if (keywords.has(name)) return `__${name}__`;
  if (/[^a-zA-Z0-9_./-]/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => escapes[part] ?? part);
}

/** The property of an identifier; undefined for invalid escapes. */
export function unescapeName(name: string): string | undefined {
  let known = true;
  const unescaped = name.replace(/__([^_]+)__/g, (whole, word: string) => {
    const plain = ownMember(unescapes, word);
    if (plain !== undefined) return plain;
    known &&= keywords.has(word) && whole.length === name.length;
    return word;
  });
  return known ? unescaped : undefined;
}
