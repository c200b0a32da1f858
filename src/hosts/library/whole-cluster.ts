/** The parts of a whole cluster; loaded on demand, since most users of the library need only the API. */
import {
  type ClusterOptions,
  checkProfiles,
  numberedNodes,
  type SchedulerConfiguration,
  startNodes,
  startScheduler,
} from '../../cluster/index.ts';

export { furtherControllers } from '../../cluster/index.ts';

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
