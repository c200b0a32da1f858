/** What acts on objects by itself: each controller watches, decides, and writes as any client does. */

import { bootstrapSigner } from './bootstrap-signer.ts';
import type { Controller, ControllerParts } from './controller.ts';
import { roleAggregation } from './role-aggregation.ts';
import { tokenCleaner } from './token-cleaner.ts';

export type { ControllerParts } from './controller.ts';

const controllers: readonly Controller[] = [bootstrapSigner, roleAggregation, tokenCleaner];

/** Starts all of them; the returned function ends that. */
export function startControllers(parts: ControllerParts): () => void {
  const ending = new AbortController();
  for (const controller of controllers) controller(parts, ending.signal);
  return () => ending.abort();
}
