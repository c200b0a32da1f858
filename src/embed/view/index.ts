/** Examples that are used: their editors, output and results, and the connection to the engine. */
export { EngineClient } from './engine-client.ts';
export { openViews } from './example-view.ts';
