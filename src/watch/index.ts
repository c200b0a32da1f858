/** Watch support: selection of changes, and event streams with a bounded buffer for slow readers. */
export { type Chunk, EventStream } from './event-stream.ts';
export { type EventType, type SelectedChange, selectChange } from './select-change.ts';
