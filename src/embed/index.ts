/** Live examples of documentation. Their parts have entry points of their own; this one has the messages between page and engine. */
export type { EnginePort, FromEngine, StoryKey, ToEngine } from './protocol.ts';
