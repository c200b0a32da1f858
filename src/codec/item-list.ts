import type { Json, JsonObject } from '../meta/index.ts';

/** A list encoded item by item, so that a long one does not block the event loop. */
export interface ItemList {
  /** The list with an empty member in place of its items. */
  readonly frame: JsonObject;
  readonly member: 'items' | 'rows';
  readonly count: number;
  readonly items: Iterable<Json>;
}

/** Called after each item; a returned promise is awaited before the next one. */
export type Pause = () => Promise<void> | undefined;
