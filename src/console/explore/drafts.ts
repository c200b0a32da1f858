import type { JsonObject } from '../../meta/index.ts';
import { objectPath } from './object-path.ts';
import type { ExplorePlace } from './place.ts';

/** An unsaved text with the object on which it is based. */
export interface Draft {
  readonly object: JsonObject;
  readonly text: string;
}

/** The storage key of a draft, until it is saved or discarded. */
export function draftKey(place: ExplorePlace): string {
  return `draft:${objectPath(place)}`;
}

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'object' in value && 'text' in value && typeof value.text === 'string';
}
