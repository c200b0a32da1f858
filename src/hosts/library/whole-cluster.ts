/** The parts of a whole cluster; loaded on demand, since most users of the library need only the API. */
import {
  allControllers,
  type ClusterOptions,
  checkProfiles,
  numberedNodes,
  type SchedulerConfiguration,
  startControllers,
  startNodes,
  startScheduler,
} from '../../cluster/index.ts';

/** All controllers that are on by default. */
export const startAllControllers: ClusterOptions['controllers'] = (options) =>
  startControllers(options, { available: allControllers, enabled: ['*'] });

/** The scheduler; the host in its events is `localhost`. @throws SchedulerConfigError for unknown plugins */
export function schedulerStarter(configuration: SchedulerConfiguration): ClusterOptions['scheduler'] {
  checkProfiles(configuration);
  return (options) => startScheduler({ ...options, configuration, host: 'localhost' });
}

/** A number of nodes, and the adopted ones. */
export const nodeStarter =
  (count: number): ClusterOptions['nodes'] =>
  (options) =>
    startNodes(options, numberedNodes(count));
