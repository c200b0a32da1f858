import type { ProductName } from '../meta/index.ts';
import type { Example, ExampleResult } from './story/index.ts';

/** A cluster of the page. */
export interface StoryKey {
  readonly id: string;
  /** Undefined: the default of the build. */
  readonly names: ProductName | undefined;
  /** Number of simulated nodes; the largest that an example needs. */
  readonly nodes: number;
}

/** Messages of the page to the engine. `id` identifies a request; each is answered once. */
export type ToEngine =
  | { readonly kind: 'run'; readonly id: number; readonly story: StoryKey; readonly example: Example }
  | { readonly kind: 'stop'; readonly id: number }
  /** Deletes the cluster, its files and variables. */
  | { readonly kind: 'reset'; readonly id: number; readonly story: StoryKey }
  /** Requests the payload of a link that opens the objects of the cluster in the playground. */
  | { readonly kind: 'link'; readonly id: number; readonly story: StoryKey };

/** Messages of the engine to the page. */
export type FromEngine =
  | { readonly kind: 'ready' }
  /** It cannot start. */
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'output'; readonly id: number; readonly text: string; readonly stream: 'out' | 'err' }
  | { readonly kind: 'result'; readonly id: number; readonly result: ExampleResult }
  | { readonly kind: 'done'; readonly id: number; readonly text: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** One end of the connection between page and engine. */
export interface EnginePort {
  send(message: ToEngine): void;
  onMessage(listener: (message: FromEngine) => void): void;
  /** Ends the engine, whatever it is doing. */
  terminate(): void;
}
