/** The controllers of ReplicaSets and ReplicationControllers, with one implementation. */

import { appsv1ReplicaSets, corev1ReplicationControllers } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { replicaSetController } from './replica-set-controller.ts';

export const replicaSets: Controller = replicaSetController({
  resource: appsv1ReplicaSets,
  name: 'replicaset-controller',
  component: 'replicaset-controller',
  selectorOf: ({ spec }) => spec.selector,
});

export const replicationControllers: Controller = replicaSetController({
  resource: corev1ReplicationControllers,
  name: 'replicationcontroller-controller',
  component: 'replication-controller',
  selectorOf: ({ spec }) => ({ matchLabels: spec.selector ?? {} }),
});
