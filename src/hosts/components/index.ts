/** The components of a cluster besides the API server: controllers, scheduler and simulated nodes. A chunk of its own (sw/components.ts). */
export { nodeStarter, schedulerStarter, startAllControllers } from '../library/whole-cluster.ts';
export { type ComponentsScope, serveComponents } from './serve-components.ts';
export { type ComponentsOptions, startComponents } from './start-components.ts';
