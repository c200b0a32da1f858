import { containerStatusesOf } from '../../component-helpers/index.ts';
import { type MetricFamily, type MetricSample, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { capacityOf, type StatsSummary } from './stats-summary.ts';

interface Family extends Pick<MetricFamily, 'name' | 'type' | 'help'> {
  /** Labels besides those of a container. */
  readonly labels?: MetricSample['labels'];
}

const families = {
  cpu: {
    name: 'container_cpu_usage_seconds_total',
    type: 'counter',
    help: 'Cumulative cpu time consumed in seconds.',
    labels: { cpu: 'total' },
  },
  usage: {
    name: 'container_memory_usage_bytes',
    type: 'gauge',
    help: 'Current memory usage in bytes, including all memory regardless of when it was accessed',
  },
  workingSet: { name: 'container_memory_working_set_bytes', type: 'gauge', help: 'Current working set in bytes.' },
  rss: { name: 'container_memory_rss', type: 'gauge', help: 'Size of RSS in bytes.' },
  received: {
    name: 'container_network_receive_bytes_total',
    type: 'counter',
    help: 'Cumulative count of bytes received',
    labels: { interface: 'eth0' },
  },
  transmitted: {
    name: 'container_network_transmit_bytes_total',
    type: 'counter',
    help: 'Cumulative count of bytes transmitted',
    labels: { interface: 'eth0' },
  },
  start: { name: 'container_start_time_seconds', type: 'gauge', help: 'Start time of the container since unix epoch in seconds.' },
} as const satisfies Readonly<Record<string, Family>>;

type Values = Partial<Record<keyof typeof families, number | undefined>>;

/** `/metrics/cadvisor`: the usual families of cAdvisor. `pods` has the pods of the summary by their UIDs. */
export function cadvisorMetrics(
  summary: StatsSummary,
  pods: ReadonlyMap<string, corev1.Pod>,
  node: corev1.Node,
  timestampMs: number,
): readonly MetricFamily[] {
  const samples = new Map<string, MetricSample[]>(Object.keys(families).map((key) => [key, []]));
  const add = (labels: MetricSample['labels'], values: Values): void => {
    for (const [key, value] of Object.entries(values)) {
      const family: Family = families[key as keyof typeof families];
      if (value !== undefined)
        samples.get(key)?.push({ labels: { ...labels, ...family.labels }, value, ...(key === 'start' ? {} : { timestampMs }) });
    }
  };
  const measured = ({ cpu, memory, startTime }: StatsSummary['node'] | StatsSummary['pods'][number]['containers'][number]): Values => ({
    cpu: cpu && cpu.usageCoreNanoSeconds / 1e9,
    usage: memory?.usageBytes,
    workingSet: memory?.workingSetBytes,
    rss: memory?.rssBytes,
    start: cpu && parseTime(startTime) / 1000,
  });
  const none = { container: '', image: '', name: '', namespace: '', pod: '' };
  add({ ...none, id: '/' }, measured(summary.node));
  for (const { podRef, containers, network } of summary.pods) {
    const pod = pods.get(podRef.uid);
    const statuses = pod ? containerStatusesOf(pod) : [];
    const ofPod = { ...none, namespace: podRef.namespace, pod: podRef.name };
    const id = `/kubepods${qosPath(pod)}/pod${podRef.uid}`;
    add({ ...ofPod, id }, { received: network?.rxBytes, transmitted: network?.txBytes });
    for (const one of containers) {
      const known = statuses.find(({ name }) => name === one.name);
      const name = (known?.containerID ?? '').replace(/^[a-z]+:\/\//, '');
      add({ ...ofPod, container: one.name, image: known?.image ?? '', name, id: `${id}/${name}` }, measured(one));
    }
  }
  const machine = (name: string, help: string, value: number): MetricFamily => {
    const { bootID, machineID, systemUUID } = node.status.nodeInfo ?? {};
    const labels = { boot_id: bootID ?? '', machine_id: machineID ?? '', system_uuid: systemUUID ?? '' };
    return { name, type: 'gauge', help, samples: [{ labels, value }] };
  };
  return [
    ...Object.entries(families).map(([key, { name, type, help }]) => ({ name, type, help, samples: samples.get(key) ?? [] })),
    machine('machine_cpu_cores', 'Number of logical CPU cores.', capacityOf(node, 'cpu') / 1000),
    machine('machine_memory_bytes', 'Amount of memory installed on the machine.', capacityOf(node, 'memory')),
  ];
}

/** The cgroup of guaranteed pods is not below one of its own. Cf. pkg/kubelet/cm. */
function qosPath(pod: corev1.Pod | undefined): string {
  const qosClass = pod?.status.qosClass ?? 'BestEffort';
  return qosClass === 'Guaranteed' ? '' : `/${qosClass.toLowerCase()}`;
}
