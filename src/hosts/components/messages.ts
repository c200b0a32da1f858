import type { ProductName } from '../../meta/index.ts';

/** From a page to its components worker. The API is served on the transferred port. */
export interface StartComponents {
  readonly kind: 'start';
  readonly names: ProductName;
  /** Number of simulated nodes. */
  readonly nodes: number;
  /** Absolute URLs of the scripts of container images, by the repository of the image. */
  readonly images: Readonly<Record<string, string>>;
  /** Absolute URL of the core as a module, which has the expression language. */
  readonly coreUrl: string;
  /** Name of the BroadcastChannel that replies to queries of scheduling decisions. */
  readonly schedulingChannel: string;
}

/** From the worker: it has loaded its code, or cannot. */
export type FromComponents = { readonly kind: 'ready' } | { readonly kind: 'broken'; readonly message: string };
