/** Events about objects. */
export { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
export { EventsRecorder, type EventsRecorderOptions, type EventToRecord } from './events-recorder.ts';
