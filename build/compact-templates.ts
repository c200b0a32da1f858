import type { Plugin } from 'vite';

/** The inspected part of a syntax tree node. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/**
 * Removes everything that only readers of the source need from the elements' templates and style sheets, since minifiers do not change strings:
 * indentation, and in style sheets all white space round punctuation; and the descriptions of messages.
 */
export function compactTemplates(): Plugin {
  return {
    name: 'tabplane-compact-templates',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/(?:console|embed)\/.*\.ts$/, code: /\b(?:css|html|svg)`|\bdesc:/ },
      handler(source) {
        const code = source.replace(messageDescription, ')');
        const parts: { readonly start: number; readonly end: number; readonly text: string }[] = [];
        for (const { tag, quasi } of taggedTemplates(this.parse(code) as unknown as Node)) {
          const compact = compactors[String((tag as Node)['name'])];
          if (compact === undefined) continue;
          for (const { start, end } of (quasi as Node)['quasis'] as Node[])
            parts.push({ start, end, text: compact(code.slice(start, end)) });
        }
        let at = 0;
        let compacted = '';
        for (const { start, end, text } of parts.sort((a, b) => a.start - b.start)) {
          compacted += code.slice(at, start) + text;
          at = end;
        }
        return { code: compacted + code.slice(at), map: null };
      },
    },
  };
}

/** The description of a message for translators, `msg('Insert', { desc: 'lines that were pasted' })`, is unused at run time. */
const messageDescription = /,\s*\{\s*desc:\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*\}\)/g;

/** One line break replaces any white space around it, since the templates contain no preformatted text. */
const compactHtml = (text: string): string => text.replace(/\s*\n\s*/g, '\n');

const compactors: Readonly<Record<string, (text: string) => string>> = {
  html: compactHtml,
  svg: compactHtml,
  css: (text) =>
    text
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replace(/: /g, ':')
      .replace(/;}/g, '}'),
};

function* taggedTemplates(node: Node): Generator<Node> {
  if (node.type === 'TaggedTemplateExpression') yield node;
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (typeof inner === 'object' && inner !== null && 'type' in inner) yield* taggedTemplates(inner as Node);
    }
  }
}
