import { matchesNodeTerms, type NodeIdentity, parseNodeSelector } from '../../component-helpers/index.ts';
import type { corev1, resourcev1 } from '../../schema/api/index.ts';

/** The slices of one pool that have devices for a node. */
export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  readonly driver: string;
  readonly name: string;
  readonly slices: readonly resourcev1.ResourceSlice[];
  /** Whether slices are missing: the driver is updating the pool. */
  readonly isIncomplete: boolean;
  /** Whether names of devices are not unique. */
  readonly isInvalid: boolean;
}

interface NodeChoice {
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: corev1.NodeSelector;
}

/** Whether devices are available on a node. Cf. NodeMatches. */
export function selectsNode({ nodeName, allNodes, nodeSelector }: NodeChoice, node: NodeIdentity): boolean {
  if (nodeName) return nodeName === node.name;
  if (allNodes) return true;
  return nodeSelector !== undefined && matchesNodeTerms(parseNodeSelector(nodeSelector), node);
}

/** The pools with devices for a node, of their newest generation. Cf. GatherPools. */
export function gatherPools(slices: readonly resourcev1.ResourceSlice[], node: NodeIdentity): readonly DevicePool[] {
  const byPool = new Map<string, resourcev1.ResourceSlice[]>();
  // Devices of the node itself come first.
  const local = slices.filter(({ spec }) => spec.nodeName);
  const shared = slices.filter(({ spec }) => !spec.nodeName);
  for (const slice of [...local, ...shared]) {
    if (!isForNode(slice, node)) continue;
    const { driver, pool } = slice.spec;
    const id = `${driver}/${pool.name}`;
    const known = byPool.get(id);
    const generation = known?.[0]?.spec.pool.generation ?? pool.generation;
    if (!known || pool.generation > generation) byPool.set(id, [slice]);
    else if (pool.generation === generation) known.push(slice);
  }
  return [...byPool].flatMap(([id, found]) => poolOf(id, found, slices) ?? []);
}

function isForNode({ spec }: resourcev1.ResourceSlice, node: NodeIdentity): boolean {
  if (!spec.perDeviceNodeSelection) return selectsNode(spec, node);
  return (spec.devices ?? []).some((device) => selectsNode(device, node));
}

/** Undefined: a newer generation of the pool has no devices for the node. */
function poolOf(id: string, found: readonly resourcev1.ResourceSlice[], all: readonly resourcev1.ResourceSlice[]): DevicePool | undefined {
  const [first] = found;
  if (!first) return undefined;
  const { driver, pool } = first.spec;
  const generations = all
    .filter(({ spec }) => spec.driver === driver && spec.pool.name === pool.name)
    .map(({ spec }) => spec.pool.generation);
  if (generations.some((generation) => generation > pool.generation)) return undefined;
  const count = generations.filter((generation) => generation === pool.generation).length;
  const names = found.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name));
  return {
    id,
    driver,
    name: pool.name,
    slices: found,
    isIncomplete: count !== pool.resourceSliceCount,
    isInvalid: new Set(names).size !== names.length,
  };
}
