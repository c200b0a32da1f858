import { type MetricFamily, type MetricSample, parseTime } from '../../meta/index.ts';
import type { ContainerStats, NodeStats, PodStats, StatsSummary } from './stats-summary.ts';

type Stats = NodeStats | PodStats | ContainerStats;

/** A value of a summary, of a node, pod or container. */
interface Value {
  readonly metric: string;
  readonly type: MetricFamily['type'];
  /** `%` is the measured object. */
  readonly help: string;
  readonly read: (stats: Stats) => number | undefined;
}

const cpuUsage: Value = {
  metric: 'cpu_usage_seconds_total',
  type: 'counter',
  help: '[STABLE] Cumulative cpu time consumed by the % in core-seconds',
  read: ({ cpu }) => cpu && cpu.usageCoreNanoSeconds / 1e9,
};
const workingSet: Value = {
  metric: 'memory_working_set_bytes',
  type: 'gauge',
  help: '[STABLE] Current working set of the % in bytes',
  read: ({ memory }) => memory?.workingSetBytes,
};

const swapUsage: Value = {
  metric: 'swap_usage_bytes',
  type: 'gauge',
  help: '[ALPHA] Current swap usage of the % in bytes. Reported only on non-windows systems',
  read: ({ swap }) => swap?.swapUsageBytes,
};
const swapText = '[ALPHA] Current amount of the % swap usage in bytes. Reported only on non-windows systems';
const swapLimit: Value = {
  metric: 'swap_limit_bytes',
  type: 'gauge',
  help: '[ALPHA] Current amount of the % swap limit in bytes. Reported only on non-windows systems',
  read: ({ swap }) => swap && swap.swapAvailableBytes + swap.swapUsageBytes,
};

/** `/metrics/resource`. Cf. pkg/kubelet/metrics/collectors resourceMetricsCollector. */
export function resourceMetrics({ node, pods }: StatsSummary, timestampMs: number): readonly MetricFamily[] {
  const family = (prefix: string, value: Value, stats: readonly (readonly [Stats, MetricSample['labels']])[]): MetricFamily => ({
    name: `${prefix}_${value.metric}`,
    type: value.type,
    help: value.help.replace('%', prefix),
    samples: stats.flatMap(([one, labels]) => {
      const read = value.read(one);
      return read === undefined ? [] : [{ labels, value: read, timestampMs }];
    }),
  });
  const podStats = pods.map((pod) => [pod, labelsOf(pod)] as const);
  const containers = pods.flatMap((pod) => pod.containers.map((one) => [one, { container: one.name, ...labelsOf(pod) }] as const));
  return [
    ...[cpuUsage, workingSet, swapUsage].map((value) => family('node', value, [[node, {}]])),
    ...[cpuUsage, workingSet, { ...swapUsage, help: swapText }, swapLimit].map((value) => family('container', value, containers)),
    ...[cpuUsage, workingSet, { ...swapUsage, help: swapText }].map((value) => family('pod', value, podStats)),
    {
      name: 'container_start_time_seconds',
      type: 'gauge',
      help: '[STABLE] Start time of the container since unix epoch in seconds',
      samples: containers.map(([{ startTime }, labels]) => ({ labels, value: parseTime(startTime) / 1000 })),
    },
    {
      name: 'resource_scrape_error',
      type: 'gauge',
      help: '[STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
      samples: [{ labels: {}, value: 0 }],
    },
  ];
}

const labelsOf = ({ podRef: { name, namespace } }: PodStats): Readonly<Record<'pod' | 'namespace', string>> => ({ pod: name, namespace });
