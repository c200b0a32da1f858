/** The structure of a lesson's text. Without the parsers, which editors load later. */
export { frontMatterKeys, frontMatterPattern } from './front-matter-text.ts';
export { type DocumentBlock, splitDocument } from './split-document.ts';
