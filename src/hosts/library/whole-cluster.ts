/** The parts of a whole cluster; loaded on demand, since most users of the library need only the API. */
import { allControllers, type ClusterOptions, numberedNodes, startControllers, startNodes, startScheduler } from '../../cluster/index.ts';

/** All controllers that are on by default. */
export const startAllControllers: ClusterOptions['controllers'] = (options) =>
  startControllers(options, { available: allControllers, enabled: ['*'] });

/** The scheduler; the host in its events is `localhost`. */
export const startLocalScheduler: ClusterOptions['scheduler'] = (options) => startScheduler({ ...options, host: 'localhost' });

/** A number of nodes, and the adopted ones. */
export const nodeStarter =
  (count: number): ClusterOptions['nodes'] =>
  (options) =>
    startNodes(options, numberedNodes(count));
