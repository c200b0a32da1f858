/** Changes of the store as a watcher sees them: selection, and streams that no slow reader can make grow. */
export { type Chunk, EventStream } from './event-stream.ts';
export { type EventType, type SelectedChange, selectChange } from './select-change.ts';
