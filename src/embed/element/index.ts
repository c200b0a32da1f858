/** The custom element. */
export { EngineClient } from './engine-client.ts';
export { enhancePage, exampleTag } from './enhance-page.ts';
export type { ExamplePage } from './example-page.ts';
export { pageStyles } from './styles.ts';
export { TabplaneExample } from './tabplane-example.ts';
