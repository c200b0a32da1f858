import type { JsonObject } from '../../meta/index.ts';
import { objectPath } from './object-path.ts';
import type { ExplorePlace } from './place.ts';

/** What was typed over an object, and over which state of it. */
export interface Draft {
  readonly object: JsonObject;
  readonly text: string;
}

/** Under which key of the console's keep it stays until it is saved or given up. */
export function draftKey(place: ExplorePlace): string {
  return `draft:${objectPath(place)}`;
}

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'object' in value && 'text' in value && typeof value.text === 'string';
}
