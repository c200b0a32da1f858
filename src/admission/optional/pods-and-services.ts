import { type ApiObject, forbidden, type JsonObject, objectsAt, type Product, recordAt, textAt, textsAt } from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { createForbiddenError, isPodWrite } from '../forbidden-error.ts';
import { specOf, withSpec } from '../object-accessors.ts';

const isCreateOrUpdate = ({ operation }: AdmissionAttributes): boolean => operation === 'CREATE' || operation === 'UPDATE';

/** Required anti-affinity may use only the hostname as its topology key. Cf. upstream plugin/antiaffinity. */
export function hostAntiAffinity(product: Product): AdmissionPlugin {
  const hostname = product.rename('kubernetes.io/hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
    async validate(_, pod) {
      const affinity = recordAt(recordAt(specOf(pod), 'affinity'), 'podAntiAffinity');
      const keys = objectsAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution').map((term) => textAt(term, 'topologyKey'));
      const other = keys.find((key) => key !== hostname);
      if (other === undefined) return;
      const why = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other} but only key ${hostname} is allowed`;
      throw forbidden({ group: '', name: 'pods' }, pod.metadata.name ?? '', why);
    },
  };
}

/** Pods that request extended resources tolerate the taints of those nodes. Cf. upstream plugin/extendedresourcetoleration. */
export function extendedResourceToleration(product: Product): AdmissionPlugin {
  const isExtended = (name: string): boolean =>
    name.includes('/') && !name.includes(product.rename('kubernetes.io/')) && !name.startsWith('requests.');
  return {
    name: 'ExtendedResourceToleration',
    handles: (write) => isPodWrite(write) && isCreateOrUpdate(write),
    async mutate(_, pod) {
      const spec = specOf(pod);
      const wanted = [...new Set(['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list).flatMap(requestedResources)))];
      const tolerations = [...objectsAt(spec, 'tolerations')];
      for (const key of wanted.filter(isExtended).sort()) {
        const same = ({ key: other, operator, effect }: JsonObject): boolean =>
          other === key && operator === 'Exists' && effect === 'NoSchedule';
        if (!tolerations.some(same)) tolerations.push({ key, operator: 'Exists', effect: 'NoSchedule' });
      }
      return tolerations.length === objectsAt(spec, 'tolerations').length ? pod : withSpec(pod, { tolerations });
    },
  };
}

function requestedResources(container: JsonObject): readonly string[] {
  return Object.keys(recordAt(recordAt(container, 'resources'), 'requests'));
}

/** Rejects new externalIPs of services. Cf. upstream plugin/network/denyserviceexternalips. */
export function denyExternalIps(): AdmissionPlugin {
  const addressesOf = (service: ApiObject | undefined): readonly string[] => (service ? textsAt(specOf(service), 'externalIPs') : []);
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
