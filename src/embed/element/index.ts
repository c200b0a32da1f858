/** The custom element until it is used: code blocks with buttons, in one small script. */
export { type BarMessageName, barMessages, type Translate, translateFor } from './bar-messages.ts';
export { pageStyles } from './bar-styles.ts';
export { codeOf, languageOf, textOf } from './code-block.ts';
export { css } from './css.ts';
export { documentedOutput, enhancePage, exampleTag } from './enhance-page.ts';
export type { ExamplePage, ExampleView, ExampleViews } from './example-page.ts';
export { TabplaneExample } from './tabplane-example.ts';
