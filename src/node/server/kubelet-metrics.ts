import { containerStatusesOf } from '../../component-helpers/index.ts';
import { buildInfo, type MetricFamily, type MetricSample, processStart, versionInfo } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { runningContainers } from '../usage/pod-usage.ts';

/** A pod of a node, as its kubelet sees it. */
export interface NodePod {
  readonly pod: corev1.Pod;
  readonly isStatic: boolean;
}

const gauge = (name: string, help: string, samples: readonly MetricSample[]): MetricFamily => ({
  name,
  type: 'gauge',
  help: `[ALPHA] ${help}`,
  samples,
});

const single = (value: number): readonly MetricSample[] => [{ labels: {}, value }];

/** `/metrics`: the families of pkg/kubelet/metrics whose values do not depend on the implementation. */
export function kubeletMetrics(node: string, pods: readonly NodePod[], startedMs: number): readonly MetricFamily[] {
  const running = pods.filter(({ pod }) => runningContainers(pod).length > 0);
  const active = pods.filter(({ pod }) => !isTerminated(pod));
  const byStatic = (some: readonly NodePod[]): readonly MetricSample[] => {
    const count = (isStatic: boolean): number => some.filter((one) => one.isStatic === isStatic).length;
    return [
      { labels: { static: '' }, value: count(false) },
      { labels: { static: 'true' }, value: count(true) },
    ];
  };
  const statuses = pods.flatMap(({ pod }) => containerStatusesOf(pod));
  const exited = statuses.filter(({ state, lastState }) => state.terminated ?? lastState?.terminated).length;
  const ofState = (state: string, value: number): readonly MetricSample[] =>
    value === 0 ? [] : [{ labels: { container_state: state }, value }];
  const ephemeral = pods.reduce((sum, { pod }) => sum + (pod.spec.ephemeralContainers ?? []).length, 0);
  return [
    buildInfo(versionInfo()),
    processStart(startedMs, ''),
    gauge('kubelet_node_name', "The node's name. The count is always 1.", [{ labels: { node }, value: 1 }]),
    gauge('kubelet_running_pods', 'Number of pods that have a running pod sandbox', single(running.length)),
    gauge('kubelet_running_containers', 'Number of containers currently running', [
      ...ofState('exited', exited),
      ...ofState(
        'running',
        running.reduce((sum, { pod }) => sum + runningContainers(pod).length, 0),
      ),
    ]),
    gauge(
      'kubelet_desired_pods',
      'The number of pods the kubelet is being instructed to run. static is true if the pod is not from the apiserver.',
      byStatic(pods),
    ),
    gauge(
      'kubelet_active_pods',
      'The number of pods the kubelet considers active and which are being considered when admitting new pods. static is true if the pod is not from the apiserver.',
      byStatic(active),
    ),
    gauge(
      'kubelet_mirror_pods',
      'The number of mirror pods the kubelet will try to create (one per admitted static pod)',
      single(pods.filter(({ isStatic }) => isStatic).length),
    ),
    gauge(
      'kubelet_managed_ephemeral_containers',
      'Current number of ephemeral containers in pods managed by this kubelet.',
      single(ephemeral),
    ),
    gauge('kubelet_cgroup_version', 'cgroup version on the hosts.', single(2)),
  ];
}

const isTerminated = ({ status }: corev1.Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';
