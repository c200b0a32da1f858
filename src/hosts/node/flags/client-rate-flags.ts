import type { ClientRate } from '../../../client/index.ts';
import type { FlagRow } from './flag-rows.ts';
import type { FlagValues } from './flag-values.ts';

/** Flags of kube-controller-manager, kube-scheduler and the kubelet, here of all together. */
export const clientRateFlagRows: readonly FlagRow[] = [
  {
    name: 'kube-api-qps',
    type: 'float',
    initial: '0',
    value: 'NUMBER',
    about:
      'requests a second of each controller, the scheduler and each node to the API, after the burst; 0 is their default: 20 for a ' +
      'controller, 50 for the others; negative numbers disable the limit',
  },
  {
    name: 'kube-api-burst',
    type: 'int',
    initial: '0',
    value: 'COUNT',
    about:
      'requests of each controller, the scheduler and each node to the API without delay; 0 is their default: 10000, 20000 and 5000. ' +
      'The real components have 30, 100 and 100, which delay large changes',
  },
];

/** Zeros are the defaults of the components. */
export function readClientRate(values: FlagValues): ClientRate {
  return { qps: values.number('kube-api-qps'), burst: values.number('kube-api-burst') };
}
