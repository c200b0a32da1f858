import type { MetricFamily, MetricSample } from '../meta/index.ts';
import { type FlowCounts, rejectReasons } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';

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
