import { isJsonObject, type JsonObject, recordAt } from '../../meta/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import { builtInResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { Builder } from '../resources/builder.ts';
import { getObject } from '../resources/changes.ts';
import { itemsOf, textsOf } from '../resources/info.ts';

export const pods: ApiResource = builtInResource('v1', 'pods', 'Pod');

/** The pods that `web`, `pod/web`, `deploy/web` or a selector refers to. @throws StatusError, KubectlError */
export async function resolvePods(call: Call, word: string | undefined, selector = ''): Promise<readonly JsonObject[]> {
  const { name: namespace } = await call.namespace();
  const client = await call.api();
  const listPods = async (labelSelector: string): Promise<readonly JsonObject[]> =>
    itemsOf(await client.read('GET', `/api/v1/namespaces/${namespace}/pods`, { query: { labelSelector: labelSelector || undefined } }));
  if (word === undefined) return listPods(selector);
  if (!word.includes('/')) return [await getObject(call, { resource: pods, namespace, name: word })];
  const { infos, error } = await new Builder(call, { words: [word], namespace, latest: true }).infos();
  const [info] = infos;
  if (error !== undefined) throw error;
  if (!info?.object) return [];
  if (info.resource.name === 'pods') return [info.object];
  const found = await listPods(selectorQuery(info.object));
  if (found.length === 0) throw new KubectlError('timed out waiting for the condition');
  return found.slice(0, 1);
}

/** The selector of a workload or service, as a query parameter. */
export function selectorQuery(object: JsonObject): string {
  const spec = recordAt(object, 'spec');
  const selector = recordAt(spec, 'selector');
  const labels = textsOf(isJsonObject(selector['matchLabels']) ? selector['matchLabels'] : selector);
  return Object.entries(labels)
    .filter(([, value]) => typeof value === 'string')
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
