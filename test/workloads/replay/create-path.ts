import { objectsAt, textAt } from './json.ts';
import type { KubeJson, Scenario } from './scenario.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** Where an object of a kind is created, as the discovery of the cluster or the scenario describes it. */
export function createPathOf(
  cluster: VirtualCluster,
  { plurals = {} }: Scenario,
  scenarioNamespace: string,
): (object: KubeJson) => Promise<string> {
  return async ({ apiVersion, kind, metadata }) => {
    const version = String(apiVersion);
    const base = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
    const namespace = metadata.namespace ?? scenarioNamespace;
    const inNamespace = (plural: string): string => `${base}/namespaces/${namespace}/${plural}`;
    const custom = plurals[kind];
    if (custom) return custom.cluster ? `${base}/${custom.plural}` : inNamespace(custom.plural);
    const { body } = await cluster.call({ path: base });
    const resource = objectsAt(body, 'resources').find((one) => one['kind'] === kind && !textAt(one, 'name').includes('/'));
    if (!resource) return inNamespace(`${kind.toLowerCase()}s`);
    const plural = textAt(resource, 'name');
    return resource['namespaced'] === true ? inNamespace(plural) : `${base}/${plural}`;
  };
}
