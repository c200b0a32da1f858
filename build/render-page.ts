import { posix } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { elementOf } from '../src/embed/plugins/index.ts';

/** The place of a page in the site. */
export interface PagePlace {
  /** Path of its document in the repository. */
  readonly document: string;
  /** All documents of the site. */
  readonly documents: readonly string[];
  /** Relative path of the site's root. */
  readonly base: string;
}

/** Renders a document as a page, whose marked code blocks are live examples. */
export function renderPage(source: string, { document, documents, base }: PagePlace): string {
  const title = /^# (.+)$/m.exec(source)?.[1] ?? document;
  const html = linkPages(wrapExamples(renderMarkdown(source)), document, documents);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<meta name="description" content="${escapeText(describe(source) || title)}">
<link rel="icon" href="${base}/tabplane/icon.svg">
<style>${style}</style>
<script src="${base}/tabplane/example.js"></script>
</head>
<body>
<nav><a href="${base}/index.html">Tabplane</a> · <a href="${base}/docs/live-examples.html">Live examples</a> · <a href="${base}/docs/architecture.html">Architecture</a> · <a href="${base}/tabplane/index.html">Playground</a></nav>
<main>
${html}
</main>
</body>
</html>
`;
}

/** Search engines show about this many characters. */
const descriptionMaxLength = 160;

/** The begin of the first paragraph, without its markup; empty when there is none. */
function describe(source: string): string {
  const parts = source.replace(/^```[\s\S]*?^```/gm, '').split(/\n{2,}/);
  const paragraph = parts.find((part) => /^(?:\w(?!\.)|[*`[("])/.test(part)) ?? '';
  const text = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= descriptionMaxLength ? text : `${text.slice(0, text.lastIndexOf(' ', descriptionMaxLength))}…`;
}

const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 1.5rem auto; padding: 0 1rem; }
pre { background: color-mix(in srgb, currentColor 7%, transparent); padding: 1em; border-radius: 6px; overflow: auto; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
table { border-collapse: collapse; display: block; overflow: auto; } th, td { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .3em .6em; text-align: start; }
img { max-width: 100%; }`;

/** The info string after the language, which micromark omits, becomes an attribute. */
function renderMarkdown(source: string): string {
  const fenceMeta = {
    exit: {
      codeFencedFenceMeta(this: { resume(): string; tag(text: string): void }): undefined {
        this.tag(` data-info="${this.resume()}"`);
      },
    },
  };
  return micromark(source, { extensions: [gfm()], htmlExtensions: [gfmHtml(), fenceMeta] });
}

function wrapExamples(html: string): string {
  const block = /<pre><code(?: class="language-([^"]*)")?(?: data-info="([^"]*)")?>[^<]*<\/code><\/pre>/g;
  return html.replace(block, (whole, language = '', info = '') => {
    const element = elementOf(unescapeText(`${language} ${info}`));
    if (element === undefined) return whole;
    const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
    return `<${element.name}${attributes.join('')}>${whole}</${element.name}>`;
  });
}

/** Links to other documents lead to their pages; links to files that are no page become text. */
function linkPages(html: string, document: string, documents: readonly string[]): string {
  return html.replace(/<a href="((?!\w+:|#)[^"]*)">([\s\S]*?)<\/a>/g, (_, href: string, text: string) => {
    const [path = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(document), path);
    if (!documents.includes(target)) return text;
    const page = target === 'README.md' ? 'index.html' : target.replace(/\.md$/, '.html');
    const from = posix.dirname(document === 'README.md' ? 'index.html' : document);
    return `<a href="${posix.relative(from, page)}${anchor === undefined ? '' : `#${anchor}`}">${text}</a>`;
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? '');
}

function unescapeText(text: string): string {
  return Object.entries(entities).reduce((plain, [char, entity]) => plain.replaceAll(entity, char), text);
}
