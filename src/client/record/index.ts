/** Events about objects. */
export { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
