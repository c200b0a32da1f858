import type { Change, Entry } from '../storage/index.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a change is to a watcher: an object entering its selection is ADDED, one leaving it DELETED. */
export interface SelectedChange {
  readonly type: EventType;
  /** The content to show: what is there now, or what was there before it went. */
  readonly entry: Entry;
  /** The version to show: the change's own, also over old content. */
  readonly revision: number;
}

/** Undefined when the watcher sees nothing of the change. */
export function selectChange(change: Change, selects: ((entry: Entry) => boolean) | undefined): SelectedChange | undefined {
  const { entry, previous, revision } = change;
  const now = entry !== undefined && (!selects || selects(entry));
  const before = previous !== undefined && (!selects || selects(previous));
  if (entry && now) return { type: before ? 'MODIFIED' : 'ADDED', entry, revision };
  if (previous && before) return { type: 'DELETED', entry: previous, revision };
  return undefined;
}
