import type { ExampleElement } from './example-element.ts';
import type { TabplaneExample } from './tabplane-example.ts';

/** What all examples of a page share. */
export interface ExamplePage {
  /** The value of an attribute of an example, or its default from the script element; `null` for none. */
  attributeOf(example: Element, name: string): string | null;
  /** All examples in the order of the document. */
  examples(): readonly TabplaneExample[];
  /** Loads the views of examples, once. */
  loadViews(): Promise<ExampleViews>;
}

/** The views of a page, and the engine that runs their examples. */
export interface ExampleViews {
  /** Renders the view of an example into its root. */
  open(example: TabplaneExample, root: ShadowRoot): ExampleView;
  /** Loads the engine, so that the first run need not wait for it. */
  startEngine(): Promise<void>;
}

/** An example that is used: its editor, output and result. */
export interface ExampleView extends Pick<ExampleElement, 'value' | 'runUpToHere' | 'reset' | 'clear'> {
  /** Returns false when the example cannot run. */
  run(): Promise<boolean>;
  /** Replaces the block by an editor. */
  edit(): void;
}
