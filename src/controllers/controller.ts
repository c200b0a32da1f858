import type { Clock, Log } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';

/** What controllers work with: they are clients like others, under a name of their own. */
export interface ControllerParts {
  readonly api: ApiHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
}

/** Keeps something true until the signal aborts. */
export type Controller = (parts: ControllerParts, signal: AbortSignal) => void;
