import { type FlowCounts, rejectReasons, type WaitHistogram, waitBuckets } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';

/** A family of metrics with its samples, whose labels are sorted by name. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface CountedFlow {
  readonly labels: { readonly flow_schema: string; readonly priority_level: string };
  readonly counts: FlowCounts;
}

/** The metrics of API Priority and Fairness that are not alpha. Cf. k8s.io/apiserver util/flowcontrol/metrics. */
export function flowMetrics(levels: readonly PriorityLevel[]): readonly MetricFamily[] {
  const flows: readonly CountedFlow[] = levels.flatMap(({ name, requests }) =>
    [...requests.counts].map(([schema, counts]) => ({ labels: { flow_schema: schema, priority_level: name }, counts })),
  );
  const ofFlows = (value: (counts: FlowCounts) => number): readonly MetricSample[] =>
    flows.map(({ labels, counts }) => ({ labels, value: value(counts) }));
  const subsystem = 'API Priority and Fairness';
  return [
    {
      ...beta('current_executing_requests', 'gauge'),
      help: `${betaMark} Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the ${subsystem} subsystem`,
      samples: ofFlows(({ executing }) => executing),
    },
    {
      ...beta('current_executing_seats', 'gauge'),
      help: `${betaMark} Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the ${subsystem} subsystem`,
      samples: ofFlows(({ seatsInUse }) => seatsInUse),
    },
    {
      ...beta('current_inqueue_requests', 'gauge'),
      help: `${betaMark} Number of requests currently pending in queues of the ${subsystem} subsystem`,
      samples: ofFlows(({ waiting }) => waiting),
    },
    {
      ...beta('dispatched_requests_total', 'counter'),
      help: `${betaMark} Number of requests executed by ${subsystem} subsystem`,
      samples: ofFlows(({ dispatched }) => dispatched),
    },
    {
      ...beta('nominal_limit_seats', 'gauge'),
      help: `${betaMark} Nominal number of execution seats configured for each priority level`,
      samples: levels.map(({ name, limits }) => ({ labels: { priority_level: name }, value: limits.nominal })),
    },
    {
      ...beta('rejected_requests_total', 'counter'),
      help: `${betaMark} Number of requests rejected by ${subsystem} subsystem`,
      samples: flows.flatMap(({ labels, counts }) =>
        rejectReasons.flatMap((reason) => {
          const value = counts.rejected[reason];
          return value === 0 ? [] : [{ labels: { ...labels, reason }, value }];
        }),
      ),
    },
    {
      ...beta('request_wait_duration_seconds', 'histogram'),
      help: `${betaMark} Length of time a request spent waiting in its queue`,
      samples: flows.flatMap(({ labels, counts }) => [
        ...histogramSamples(counts.rejectedWaits, { execute: 'false', ...labels }),
        ...histogramSamples(counts.executedWaits, { execute: 'true', ...labels }),
      ]),
    },
  ];
}

const betaMark = '[BETA]';

function beta<Type extends MetricFamily['type']>(name: string, type: Type): { readonly name: string; readonly type: Type } {
  return { name: `apiserver_flowcontrol_${name}`, type };
}

/** None for a histogram without values. */
function histogramSamples({ buckets, sum }: WaitHistogram, labels: Readonly<Record<string, string>>): readonly MetricSample[] {
  const count = buckets.reduce((total, one) => total + one, 0);
  if (count === 0) return [];
  let below = 0;
  const cumulative = buckets.map((values, index) => {
    below += values;
    return { suffix: '_bucket', labels: { ...labels, le: index < waitBuckets.length ? String(waitBuckets[index]) : '+Inf' }, value: below };
  });
  return [...cumulative, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
}
