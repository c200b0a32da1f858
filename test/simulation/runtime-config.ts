import { getOrAdd, type Product, type ProductName } from '../../src/meta/index.ts';

/** Groups that no client of a simulation uses need not be bootstrapped at every start. */
const disabledGroups = ['rbac.authorization', 'flowcontrol.apiserver', 'apiregistration'];

const runtimeConfigs = new Map<ProductName, ReadonlyMap<string, string>>();

/** `--runtime-config` of a product: the same map for all servers, so that they share their program. */
export function runtimeConfigOf({ name, rename }: Product): ReadonlyMap<string, string> {
  return getOrAdd(runtimeConfigs, name, () => new Map(disabledGroups.map((group) => [rename(`${group}.k8s.io/v1`), 'false'])));
}
