/** The components of a cluster besides the API server: controllers, scheduler and simulated nodes. A chunk of its own (sw/components.ts). */
export { furtherControllers, nodeStarter, schedulerStarter } from '../library/whole-cluster.ts';
export { serveComponents } from './serve-components.ts';
