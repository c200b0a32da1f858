import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { TaintChange } from '../nodes/index.ts';
import { taintChange } from '../nodes/index.ts';

/** The taints of conditions, by type and status. Cf. nodeConditionToTaintKeyStatusMap. */
const taintKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'node.kubernetes.io/not-ready', Unknown: 'node.kubernetes.io/unreachable' },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
};
const unschedulable = 'node.kubernetes.io/unschedulable';
const allKeys = [...Object.values(taintKeys).flatMap((byStatus) => Object.values(byStatus)), unschedulable];

/** The change that gives a node the taints of its conditions; undefined when it has them. Cf. doNoScheduleTaintingPass. */
export function conditionTaints(node: Pick<corev1.Node, 'spec' | 'status'>, { rename }: Pick<Product, 'rename'>): TaintChange | undefined {
  const ofConditions = (node.status.conditions ?? []).flatMap(({ type, status }) => taintKeys[type]?.[status] ?? []);
  const wanted = node.spec.unschedulable === true ? [...ofConditions, unschedulable] : ofConditions;
  const toTaint = (key: string): { readonly key: string; readonly effect: string } => ({ key: rename(key), effect: 'NoSchedule' });
  return taintChange(node, { add: wanted.map(toTaint), remove: allKeys.filter((key) => !wanted.includes(key)).map(toTaint) });
}

/** The deprecated labels that a node lacks, equal to their successors. Cf. reconcileNodeLabels. */
export function missingLabels(
  { labels = {} }: corev1.Node['metadata'],
  { rename }: Pick<Product, 'rename'>,
): Readonly<Record<string, string>> | undefined {
  const missing: Record<string, string> = {};
  for (const name of ['os', 'arch']) {
    const value = labels[rename(`kubernetes.io/${name}`)];
    const deprecated = rename(`beta.kubernetes.io/${name}`);
    if (value !== undefined && labels[deprecated] !== value) missing[deprecated] = value;
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}
