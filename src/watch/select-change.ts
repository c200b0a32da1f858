import type { Change, Entry } from '../storage/index.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change as an event of a watch with selectors: an object that starts to match is ADDED, one that stops matching is DELETED. */
export interface SelectedChange {
  readonly type: EventType;
  /** The object's content: the new one, or for DELETED the last one that matched. */
  readonly entry: Entry;
  /** The revision of the change, also for old content. */
  readonly revision: number;
}

/** Undefined when neither the old nor the new state matches. */
export function selectChange(change: Change, selects: ((entry: Entry) => boolean) | undefined): SelectedChange | undefined {
  const { entry, previous, revision } = change;
  const now = entry !== undefined && (!selects || selects(entry));
  const before = previous !== undefined && (!selects || selects(previous));
  if (entry && now) return { type: before ? 'MODIFIED' : 'ADDED', entry, revision };
  if (previous && before) return { type: 'DELETED', entry: previous, revision };
  return undefined;
}
