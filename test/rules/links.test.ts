import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

/** Text without code, where brackets and number signs have another meaning. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^(`{3,}).*\n[\s\S]*?^\1`*$/gm, '').replace(/`[^`\n]*`/g, 'code');
}

/** The anchors of headings, as GitHub creates them: lower case, without punctuation, with hyphens for spaces, numbered when repeated. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const headings = markdown.replace(/^(`{3,}).*\n[\s\S]*?^\1`*$/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm);
  for (const [, heading = ''] of headings) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The relative targets of links and images. */
function relativeTargets(markdown: string): readonly string[] {
  const targets = [...withoutCode(markdown).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target));
}

function problemOf(page: string, target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page : join(dirname(page), decodeURIComponent(file));
  if (!existsSync(join(root, path))) return `${target}: no file ${path}`;
  if (anchor === undefined || anchorsOf(readFileSync(join(root, path), 'utf8')).has(anchor)) return undefined;
  return `${target}: no heading #${anchor} in ${path}`;
}

test.each(pages)('the relative links of %s point to existing files and headings', (page) => {
  const problems = relativeTargets(readFileSync(join(root, page), 'utf8')).flatMap((target) => problemOf(page, target) ?? []);
  expect(problems).toEqual([]);
});

test('reports missing files and headings', () => {
  expect(problemOf('docs/lessons.md', '../README.md#two-commands')).toBeUndefined();
  expect(problemOf('docs/lessons.md', 'missing.md')).toBe('missing.md: no file docs/missing.md');
  expect(problemOf('README.md', '#missing')).toBe('#missing: no heading #missing in README.md');
});

test('creates the anchors of GitHub and skips code', () => {
  const markdown =
    '# A `b.ts`: c, d\n## Same\n## Same\n```md\n# Not [a](heading)\n```\nSee [x](y.md#z), `[no](link)` and [web](https://a.example).\n';
  expect([...anchorsOf(markdown)]).toEqual(['a-bts-c-d', 'same', 'same-1']);
  expect(relativeTargets(markdown)).toEqual(['y.md#z']);
});
