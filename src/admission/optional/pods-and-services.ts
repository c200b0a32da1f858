import { forbidden, isNativeResource, type Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError, isCreateOrUpdate, isPodWrite } from '../forbidden-error.ts';
import { podSpecOf, withSpec } from '../object-accessors.ts';

/** Required anti-affinity may use only the hostname as its topology key. Cf. upstream plugin/antiaffinity. */
export function hostAntiAffinity(product: Product): AdmissionPlugin {
  const hostname = product.rename('kubernetes.io/hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
    async validate(_, pod) {
      const terms = podSpecOf(pod).affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const other = terms.map(({ topologyKey = '' }) => topologyKey).find((key) => key !== hostname);
      if (other === undefined) return;
      const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other} but only key ${hostname} is allowed`;
      throw forbidden({ group: '', name: 'pods' }, pod.metadata.name ?? '', why);
    },
  };
}

/** Pods that request extended resources tolerate the taints of those nodes. Cf. upstream plugin/extendedresourcetoleration. */
export function extendedResourceToleration(product: Product): AdmissionPlugin {
  const isExtended = (name: string): boolean => !isNativeResource(name, product) && !name.startsWith('requests.');
  return {
    name: 'ExtendedResourceToleration',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
    async mutate(_, pod) {
      const { containers, initContainers = [], tolerations: own = [] } = podSpecOf(pod);
      const requested = [...(containers ?? []), ...initContainers].flatMap(({ resources }) => Object.keys(resources?.requests ?? {}));
      const wanted = [...new Set(requested)];
      const tolerations = [...own];
      for (const key of wanted.filter(isExtended).sort()) {
        const isTolerated = tolerations.some((one) => one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule');
        if (!isTolerated) tolerations.push({ key, operator: 'Exists', effect: 'NoSchedule' });
      }
      return tolerations.length === own.length ? pod : withSpec(pod, { tolerations });
    },
  };
}

/** Rejects new externalIPs of services. Cf. upstream plugin/network/denyserviceexternalips. */
export function denyExternalIps(): AdmissionPlugin {
  const addressesOf = (service: Decoded<corev1.Service> | undefined): readonly string[] => service?.spec?.externalIPs ?? [];
  return {
    name: 'DenyServiceExternalIPs',
    handles: (write) => write.group === '' && write.resource === 'services' && write.subresource === '' && isCreateOrUpdate(write),
    async validate(request, service, old) {
      const before = addressesOf(old);
      if (addressesOf(service).every((address) => before.includes(address))) return;
      throw createForbiddenError(request, service, 'Use of external IPs is denied by admission control');
    },
  };
}
