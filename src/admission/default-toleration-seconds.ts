import { type JsonObject, objectsAt, type Product, textAt } from '../meta/index.ts';
import type { AdmissionPlugin } from './admission.ts';
import { isPodWrite } from './forbidden-error.ts';
import { specOf, withSpec } from './object-accessors.ts';

/** `--default-not-ready-toleration-seconds` and `--default-unreachable-toleration-seconds`. */
const defaultSeconds = 300;

/** Pods tolerate a short absence of their node. Cf. upstream plugin/defaulttolerationseconds. */
export function defaultTolerationSeconds(product: Product): AdmissionPlugin {
  const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((taint) => product.rename(taint));
  return {
    name: 'DefaultTolerationSeconds',
    handles: (write) => isPodWrite(write) && write.operation !== 'DELETE',
    async mutate(_, pod) {
      const tolerations = objectsAt(specOf(pod), 'tolerations');
      const added = taints
        .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
        .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: defaultSeconds }));
      return added.length === 0 ? pod : withSpec(pod, { tolerations: [...tolerations, ...added] });
    },
  };
}

function tolerates(toleration: JsonObject, taint: string): boolean {
  const [key, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')];
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
