/** Examples in Markdown documents. */
export { type DocumentExample, type ExampleSelection, readExamples } from './read-examples.ts';
