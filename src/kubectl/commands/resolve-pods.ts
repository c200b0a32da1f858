import { formatLabelSelector, type JsonObject, recordAt } from '../../meta/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import { builtInResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { Builder } from '../resources/builder.ts';
import { getObject } from '../resources/changes.ts';
import { type Info, itemsOf, textsOf } from '../resources/info.ts';

export const pods: ApiResource = builtInResource('v1', 'pods', 'Pod');

interface PodOptions {
  readonly selector?: string;
  /** What the command does, for the error for an object without pods. */
  readonly purpose?: string;
}

/** The pods that `web`, `pod/web`, `deploy/web` or a selector refers to. @throws StatusError, KubectlError */
export async function resolvePods(
  call: Call,
  word: string | undefined,
  { selector = '', purpose = 'attach to' }: PodOptions = {},
): Promise<readonly JsonObject[]> {
  const { name: namespace } = await call.namespace();
  const client = await call.api();
  const listPods = async (labelSelector: string): Promise<readonly JsonObject[]> =>
    itemsOf(await client.read('GET', `/api/v1/namespaces/${namespace}/pods`, { query: { labelSelector: labelSelector || undefined } }));
  if (word === undefined) return listPods(selector);
  if (!word.includes('/')) return [await getObject(call, { resource: pods, namespace, name: word })];
  const { infos, error } = await new Builder(call, { words: [word], namespace, latest: true, typed: true }).infos();
  const [info] = infos;
  if (error !== undefined) throw error;
  if (!info?.object) return [];
  if (info.resource.name === 'pods') return [info.object];
  const found = await listPods(podSelectorOf(info, purpose));
  if (found.length === 0) throw new KubectlError('timed out waiting for the condition');
  return found.slice(0, 1);
}

/** The pod selector of a workload or a service. Cf. kubectl SelectorsForObject. @throws KubectlError */
function podSelectorOf({ resource, name, object }: Info, purpose: string): string {
  const fail = (why: string): never => {
    throw new KubectlError(`cannot ${purpose} ${type}: ${why}`);
  };
  const type = `*${resource.version}.${resource.kind}`;
  const { selector } = recordAt(object, 'spec');
  switch (`${resource.group}/${resource.name}`) {
    case 'apps/daemonsets':
    case 'apps/deployments':
    case 'apps/replicasets':
    case 'apps/statefulsets':
    case 'batch/jobs':
      return formatLabelSelector(selector, '');
    case '/services':
      if (Object.keys(textsOf(selector)).length === 0) fail(`invalid service '${name}': Service is defined without a selector`);
      return formatLabels(selector);
    case '/replicationcontrollers':
      return formatLabels(selector);
    default:
      // The text of polymorphichelpers.SelectorsForObject.
      return fail(`selector for ${type} not implemented`);
  }
}

function formatLabels(selector: unknown): string {
  return Object.entries(textsOf(selector))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
