import type { Env } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';

/** The dependencies of the simulated nodes. */
export interface NodeManagerOptions extends Env {
  /** The API with all permissions: pods and nodes are watched once for all nodes. */
  readonly api: ApiHandler;
  /** The API with the identity of a node, `system:node:NAME`. */
  readonly apiOf: (node: string) => ApiHandler;
  readonly product: Product;
}
