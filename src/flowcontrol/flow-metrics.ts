import type { MetricFamily, MetricSample } from '../meta/index.ts';
import { type FlowCounts, rejectReasons } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';

interface CountedFlow {
  readonly labels: { readonly flow_schema: string; readonly priority_level: string };
  readonly counts: FlowCounts;
  readonly hasQueues: boolean;
}

/** The metrics of API Priority and Fairness, without the alpha ones that are sampled every nanosecond. Cf. k8s.io/apiserver util/flowcontrol/metrics. */
export function flowMetrics(levels: readonly PriorityLevel[]): readonly MetricFamily[] {
  const flows: readonly CountedFlow[] = levels.flatMap(({ name, requests }) =>
    [...requests.counts].map(([schema, counts]) => ({
      labels: { flow_schema: schema, priority_level: name },
      counts,
      hasQueues: requests.hasQueues,
    })),
  );
  const ofFlows = (value: (counts: FlowCounts) => number): readonly MetricSample[] =>
    flows.map(({ labels, counts }) => ({ labels, value: value(counts) }));
  const ofLevels = (value: (level: PriorityLevel) => number): readonly MetricSample[] =>
    levels.map((level) => ({ labels: { priority_level: level.name }, value: value(level) }));
  const alphaGauge = (name: string, help: string, value: (level: PriorityLevel) => number): MetricFamily => ({
    name: `apiserver_flowcontrol_${name}`,
    type: 'gauge',
    help: `[ALPHA] ${help}`,
    samples: ofLevels(value),
  });
  const bound = (side: string): string => `Configured ${side} bound on number of execution seats available to each priority level`;
  const lastPeriod = 'over last adjustment period, of demand_seats';
  const subsystem = 'API Priority and Fairness';
  return [
    alphaGauge(
      'current_limit_seats',
      'current derived number of execution seats available to each priority level',
      (level) => level.currentLimit,
    ),
    alphaGauge('lower_limit_seats', bound('lower'), ({ limits }) => limits.lower),
    alphaGauge('upper_limit_seats', bound('upper'), ({ limits }) => limits.upper),
    alphaGauge('demand_seats_average', `Time-weighted average, ${lastPeriod}`, ({ demand }) => demand.average),
    alphaGauge('demand_seats_high_watermark', `High watermark, ${lastPeriod}`, ({ demand }) => demand.highest),
    alphaGauge('demand_seats_stdev', `Time-weighted standard deviation, ${lastPeriod}`, ({ demand }) => demand.deviation),
    alphaGauge('demand_seats_smoothed', 'Smoothed seat demands', ({ smoothedDemand }) => smoothedDemand),
    {
      name: 'apiserver_flowcontrol_request_execution_seconds',
      type: 'histogram',
      help: `[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the ${subsystem} subsystem`,
      samples: flows.flatMap(({ labels, counts: { executions } }) =>
        (['regular', 'watch'] as const).flatMap((type) => executions[type].samples({ ...labels, type })),
      ),
    },
    {
      name: 'apiserver_flowcontrol_work_estimated_seats',
      type: 'histogram',
      help: `[ALPHA] Number of estimated seats (maximum of initial and final seats) associated with requests in ${subsystem}`,
      samples: flows.flatMap(({ labels, counts: { seats } }) => seats.samples(labels)),
    },
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
      samples: flows.flatMap(({ labels, counts, hasQueues }) => (hasQueues ? [{ labels, value: counts.waiting }] : [])),
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
        ...counts.rejectedWaits.samples({ execute: 'false', ...labels }),
        ...counts.executedWaits.samples({ execute: 'true', ...labels }),
      ]),
    },
  ];
}

const betaMark = '[BETA]';

function beta<Type extends MetricFamily['type']>(name: string, type: Type): { readonly name: string; readonly type: Type } {
  return { name: `apiserver_flowcontrol_${name}`, type };
}
