import type { Page } from 'playwright-core';

/** Elements that readers of feeds show. They remove others, but not their content, and all attributes besides links. */
const shown = [
  'a',
  'blockquote',
  'br',
  'code',
  'div',
  'em',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'li',
  'ol',
  'p',
  'pre',
  'span',
  'strong',
  'ul',
];

/** Shows the last entry of an Atom or RSS feed in a page, as a reader of feeds does. Returns its code blocks without blank lines, and all text. */
export function readFeed(page: Page, feed: string): Promise<{ readonly blocks: readonly string[]; readonly text: string }> {
  return page.evaluate(
    ({ feed, shown }) => {
      const entry = [...new DOMParser().parseFromString(feed, 'application/xml').querySelectorAll('entry, item')].at(-1);
      const content = entry?.querySelector('content, encoded') ?? entry?.querySelector('description');
      const { body } = new DOMParser().parseFromString(content?.textContent ?? '', 'text/html');
      for (const element of body.querySelectorAll('script, style')) element.remove();
      for (const element of body.querySelectorAll('*')) {
        for (const name of element.getAttributeNames()) element.removeAttribute(name);
        if (!shown.includes(element.localName)) element.replaceWith(...element.childNodes);
      }
      // `innerText` has two line breaks for a `br` at the end of an element, which is shown as one.
      document.body.replaceChildren(...body.childNodes);
      return {
        blocks: [...document.querySelectorAll('pre')].map((block) => block.innerText.trim().replace(/\n+/g, '\n')),
        text: document.body.innerText,
      };
    },
    { feed, shown },
  );
}

/** An Atom feed with one entry. */
export function feedOf(html: string): string {
  const content = html.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Guide</title><entry><title>Guide</title><content type="html">${content}</content></entry></feed>`;
}
