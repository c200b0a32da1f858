import type { Json } from '../../../src/meta/index.ts';
import { objectsAt } from './json.ts';
import { fits, fitsAll, pointer } from './matchers.ts';
import type { Condition } from './scenario.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** Describes the first condition that is not met; undefined: all are met. */
export async function firstUnmet(conditions: readonly Condition[], cluster: VirtualCluster): Promise<string | undefined> {
  for (const condition of conditions) {
    const { status, body } = await cluster.call({ path: condition.path });
    const problem = status === (condition.status ?? 200) ? problemOf(condition, body) : `: ${status}`;
    if (problem !== undefined) return `${condition.path}${problem}`;
  }
  return undefined;
}

function problemOf({ has = {}, items }: Condition, body: Json): string | undefined {
  for (const [path, wanted] of Object.entries(has)) {
    const value = pointer(body, path);
    if (!fits(value, wanted)) return `${path} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`;
  }
  return items && problemOfItems(items, body);
}

function problemOfItems({ where, count, all, some }: NonNullable<Condition['items']>, body: Json): string | undefined {
  const items = objectsAt(body, 'items').filter((item) => fitsAll(item, where));
  if (count !== undefined && !fits(items.length, count)) return `: ${items.length} items, not ${JSON.stringify(count)}`;
  if (all && !items.every((item) => fitsAll(item, all))) return `: not all ${JSON.stringify(all)}`;
  if (some && !items.some((item) => fitsAll(item, some))) return `: none ${JSON.stringify(some)}`;
  return undefined;
}
