import type { Product } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionPlugin } from './admission.ts';
import { isPodWrite } from './forbidden-error.ts';
import { podSpecOf, withSpec } from './object-accessors.ts';

/** How long pods tolerate the taints of an absent node, in seconds. */
export interface TolerationSeconds {
  /** `--default-not-ready-toleration-seconds` */
  readonly notReady: number;
  /** `--default-unreachable-toleration-seconds` */
  readonly unreachable: number;
}

export const tolerationDefaults: TolerationSeconds = { notReady: 300, unreachable: 300 };

/** Pods tolerate a short absence of their node. Cf. upstream plugin/defaulttolerationseconds. */
export function defaultTolerationSeconds(product: Product, seconds: TolerationSeconds): AdmissionPlugin {
  const taints = [
    { key: product.rename('node.kubernetes.io/not-ready'), tolerationSeconds: seconds.notReady },
    { key: product.rename('node.kubernetes.io/unreachable'), tolerationSeconds: seconds.unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: (write) => isPodWrite(write) && write.operation !== 'DELETE',
    async mutate(_, pod) {
      const tolerations = podSpecOf(pod).tolerations ?? [];
      const added = taints
        .filter(({ key }) => !tolerations.some((toleration) => tolerates(toleration, key)))
        .map(({ key, tolerationSeconds }) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }));
      return added.length === 0 ? pod : withSpec(pod, { tolerations: [...tolerations, ...added] });
    },
  };
}

function tolerates({ key = '', effect = '' }: Decoded<corev1.Toleration>, taint: string): boolean {
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
