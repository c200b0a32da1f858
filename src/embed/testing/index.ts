/** Runs the examples of documents and compares their output. */
export { type DocumentReport, isFailed, type Reporter, reporters } from './reporters.ts';
export { type StoryOpener, testDocument } from './test-document.ts';
export { updateDocument } from './update-document.ts';
