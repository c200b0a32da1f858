import type { ExampleResult } from '../story/index.ts';

export type { ExampleResult };

/** The element `<tabplane-example>`, which the script `example.js` defines. It fires `result` with an ExampleResult as `detail`. */
export interface ExampleElement extends HTMLElement {
  /** The code that runs: that of the block, or as the reader edited it. */
  readonly value: string;
  /** Runs the code in its cluster. Resolves when it ends, also when it cannot run. */
  run(): Promise<void>;
  /** Resets the cluster and runs its examples from the first one to this one. */
  runUpToHere(): Promise<void>;
  /** Deletes the cluster, and restores the block. */
  reset(): Promise<void>;
  /** Removes the output of the last run. */
  clear(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'tabplane-example': ExampleElement;
  }
  /** Turns the marked blocks that were added to the page into examples. */
  var tabplaneExamples: { enhance(): void };
}
