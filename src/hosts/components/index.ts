/** The components of a cluster besides the API server: controllers, scheduler and simulated nodes. A chunk of its own (sw/components.ts). */
export { Explanations } from '../../cluster/index.ts';
export { createVirtualTime, furtherControllers, nodeOptions, schedulerStarter } from '../library/whole-cluster.ts';
export { serveComponents } from './serve-components.ts';
export { startComponents } from './start-components.ts';
