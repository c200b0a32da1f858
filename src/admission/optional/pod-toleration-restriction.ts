import { type ApiObject, JsonSyntaxError, type Product, parseJson, StatusError } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { computePodQosClass, type Decoded } from '../../schema/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { isCreateOrUpdate, isPodWrite } from '../forbidden-error.ts';
import { annotationOf, podSpecOf, sameToleration, withSpec } from '../object-accessors.ts';
import { type ObjectSource, requireNamespace } from '../object-source.ts';
import { readTolerations, TolerationError } from './read-tolerations.ts';

type Toleration = Decoded<corev1.Toleration>;

/** The tolerations of pods in namespaces without annotations of their own. */
export interface ClusterTolerations {
  /** Added to new pods. */
  readonly defaults: readonly Toleration[];
  /** Those that pods may have; empty: all. */
  readonly whitelist: readonly Toleration[];
}

/** Adds default tolerations to pods, and rejects those that are not in a whitelist. Cf. upstream plugin/podtolerationrestriction. */
export function podTolerationRestriction(namespaces: ObjectSource, cluster: ClusterTolerations, product: Product): AdmissionPlugin {
  const annotations = {
    defaults: product.rename('scheduler.alpha.kubernetes.io/defaultTolerations'),
    whitelist: product.rename('scheduler.alpha.kubernetes.io/tolerationsWhitelist'),
  };
  const memoryPressure = { key: product.rename('node.kubernetes.io/memory-pressure'), operator: 'Exists', effect: 'NoSchedule' };
  const ofNamespace = async (name: string, list: keyof ClusterTolerations): Promise<readonly Toleration[] | undefined> => {
    const namespace = await requireNamespace(namespaces.find('', name), name);
    const text = annotationOf(namespace, annotations[list]);
    return text === undefined ? undefined : parseTolerations(text);
  };
  const check = async ({ namespace }: AdmissionRequest, pod: ApiObject): Promise<void> => {
    const { tolerations = [] } = podSpecOf(pod);
    if (tolerations.length === 0) return;
    const own = await ofNamespace(namespace, 'whitelist');
    const whitelist = own ?? cluster.whitelist;
    if (whitelist.length === 0 || tolerations.every((one) => whitelist.some((allowed) => isSuperset(allowed, one)))) return;
    const conflict = `conflict with its ${own ? 'namespace' : 'cluster'} whitelist`;
    throw new StatusError(500, '', `pod tolerations (possibly merged with namespace default tolerations) ${conflict}`);
  };
  return {
    name: 'PodTolerationRestriction',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
    async mutate(request, pod) {
      const isNew = request.operation === 'CREATE';
      const defaults = isNew ? ((await ofNamespace(request.namespace, 'defaults')) ?? cluster.defaults) : [];
      const added = qosClassOf(pod) === 'BestEffort' ? defaults : [...defaults, memoryPressure];
      const made = added.length === 0 ? pod : withTolerations(pod, added);
      await check(request, made);
      return made;
    },
    validate: check,
  };
}

function qosClassOf({ spec, status }: Decoded<corev1.Pod>): string {
  return status?.qosClass || computePodQosClass(spec ?? {});
}

/** Drops tolerations that another one includes. Cf. upstream util/tolerations MergeTolerations. */
function withTolerations(pod: ApiObject, added: readonly Toleration[]): ApiObject {
  const { tolerations: own = [] } = podSpecOf(pod);
  const all = [...own, ...added];
  const merged: Toleration[] = [];
  all.forEach((one, index) => {
    const isIncluded =
      merged.some((other) => isSuperset(other, one)) ||
      all.slice(index + 1).some((other) => !sameToleration(other, one) && isSuperset(other, one));
    if (!isIncluded) merged.push(one);
  });
  const isUnchanged = merged.length === own.length && merged.every((one, index) => one === own[index]);
  return isUnchanged ? pod : withSpec(pod, { tolerations: merged });
}

/** Whether `wide` tolerates everything that `narrow` does. */
function isSuperset(wide: Toleration, narrow: Toleration): boolean {
  if (sameToleration(wide, narrow)) return true;
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds: limit } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (effect !== '' && (narrow.effect ?? '') !== effect) return false;
  if (effect === 'NoExecute' && limit !== undefined && (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > limit))
    return false;
  if (operator === 'Exists') return true;
  return (operator === 'Equal' || operator === '') && narrow.operator === 'Equal' && (narrow.value ?? '') === value;
}

/** @throws StatusError with the message of Go's decoder */
function parseTolerations(text: string): readonly Toleration[] {
  if (text === '') return [];
  try {
    return readTolerations(parseJson(text).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TolerationError) throw new StatusError(500, '', error.message);
    throw error;
  }
}
