import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Markdown to HTML. Raw HTML comes out as text, and addresses that are no http, mailto or relative ones come out empty. */
export function renderProse(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }).trim();
}
