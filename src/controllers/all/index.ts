/** All controllers, apart from the base ones so that the Service Worker loads only those. */

import { cronJobs } from '../cronjob/index.ts';
import { deployments } from '../deployment/index.ts';
import { garbageCollector } from '../garbage-collector/garbage-collector.ts';
import { baseControllers, type Controller } from '../index.ts';
import { replicaSets, replicationControllers } from '../replicaset/index.ts';

/** By their names in the real controller manager. */
export const allControllers: Readonly<Record<string, Controller>> = {
  ...baseControllers,
  'cronjob-controller': cronJobs,
  'deployment-controller': deployments,
  'replicaset-controller': replicaSets,
  'replicationcontroller-controller': replicationControllers,
  'garbage-collector-controller': garbageCollector,
};
