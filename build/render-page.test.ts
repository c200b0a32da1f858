import { expect, test } from 'vitest';
import { renderPage } from './render-page.ts';

const documents = ['README.md', 'docs/guide.md', 'docs/other.md'];
const render = (source: string): string => renderPage(source, { document: 'docs/guide.md', documents, base: '..' });

test('a page has title, description and icon, which search engines and browsers look for', () => {
  const page = render('# Guide & more\n\n```sh\nfirst\n\nsecond. third\n```\n\n`It` is **about** [other\nthings](other.md). More.\n');
  expect(page).toContain('<title>Guide &amp; more</title>');
  expect(page).toContain('<meta name="description" content="It is about other things. More.">');
  expect(page).toContain('<link rel="icon" href="../tabplane/icon.svg">');
  expect(render('a b c d e f g h '.repeat(20))).toMatch(/<meta name="description" content="(?:\w ){79}\w…">/);
  expect(render('# Guide\n\n- a list\n')).toContain('<meta name="description" content="Guide">');
});

test('marked blocks become examples with their attributes, other blocks stay', () => {
  const page = render('```sh tabplane user="a<b"\ntrue\n```\n\n```sh\nfalse\n```\n');
  expect(page).toContain(
    '<tabplane-example language="sh" user="a&lt;b"><pre><code class="language-sh" data-info="tabplane user=&quot;a&lt;b&quot;">true',
  );
  expect(page.match(/<tabplane-example/g)).toHaveLength(1);
});

test('links to documents lead to their pages, and links to other files become text', () => {
  const page = render('[the\nother](other.md#part), [start](../README.md), [code](../src/a.ts), [web](https://example.com/)\n');
  expect(page).toContain(
    '<a href="other.html#part">the\nother</a>, <a href="../index.html">start</a>, code, <a href="https://example.com/">web</a>',
  );
});
