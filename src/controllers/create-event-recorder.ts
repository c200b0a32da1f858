import { EventRecorder } from '../client/index.ts';
import type { ControllerContext } from './controller.ts';

/** Records the events of a controller. `component` is its name in events: `replicaset-controller`. */
export function createEventRecorder({ client, clock, log, signal }: ControllerContext, component: string): EventRecorder {
  return new EventRecorder({ client, clock, log, component, signal });
}
