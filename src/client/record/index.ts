/** Events about objects. */
export { EventRecorder } from './event-recorder.ts';
export { EventsRecorder, type EventToRecord } from './events-recorder.ts';
