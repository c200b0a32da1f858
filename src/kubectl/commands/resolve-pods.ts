import { formatLabelSelector, type JsonObject, recordAt } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { ApiResource } from '../api/discovery.ts';
import { builtInResource } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { Builder } from '../resources/builder.ts';
import { type Info, itemsOf, nameOf, namespaceOf, textsOf } from '../resources/info.ts';
import { requestFromFlags } from '../resources/requests.ts';
import { byActivity, type ComparePods } from './pod-order.ts';

export const pods: ApiResource = builtInResource('v1', 'pods', 'Pod');

/** The pod of `web`, `pod/web`, `deploy/web` or a file, in which a command runs. @throws StatusError, KubectlError */
export async function findPod(call: Call, words: readonly string[]): Promise<JsonObject> {
  const [pod] = await podsOf(call, await findObject(call, words), { purpose: 'attach to', order: byActivity });
  if (!pod) throw new KubectlError('no pods found');
  return pod;
}

/** The object of `web`, `pod/web`, `deploy/web`, `deploy web` or a file. @throws StatusError, KubectlError */
export async function findObject(call: Call, words: readonly string[]): Promise<Info> {
  const [type = '', name] = words;
  const selection = name === undefined ? { words, defaultType: 'pods' } : { words: [name], defaultType: type };
  const { infos } = await new Builder(call, await requestFromFlags(call, { ...selection, selector: '', typed: true })).infos();
  const [info, ...others] = infos;
  if (others.length > 0) throw new KubectlError('cannot exec into multiple objects at a time');
  if (!info) throw new KubectlError('no pods found');
  return info;
}

interface PodSelection {
  /** What the command does, for the error for an object without pods. */
  readonly purpose: string;
  readonly order: ComparePods;
}

/** How often pods of a workload are looked for until there is one, in milliseconds. */
const pollMs = 500;

/** The pod itself, or the pods that an object selects, at least one. @throws KubectlError when there is none after `--pod-running-timeout` */
export async function podsOf(call: Call, info: Info, { purpose, order }: PodSelection): Promise<readonly JsonObject[]> {
  const { resource, object = {} } = info;
  if (resource.group === '' && resource.name === 'pods') return [object];
  const labelSelector = podSelectorOf(info, purpose);
  const client = await call.api();
  const { clock } = call.shell;
  const endMs = clock.monotonicMs() + call.flags.duration('pod-running-timeout');
  for (;;) {
    const query = { labelSelector: labelSelector || undefined };
    const found = itemsOf(await client.read('GET', `/api/v1/namespaces/${namespaceOf(object)}/pods`, { query }));
    if (found.length > 0) return found.toSorted(order);
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) throw new KubectlError('timed out waiting for the condition');
    await clock.sleep(Math.min(pollMs, leftMs), call.signal);
  }
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

/** The containers of a pod by their list. */
export function containerNames(pod: Decoded<corev1.Pod>): Readonly<Record<'main' | 'init' | 'ephemeral', readonly string[]>> {
  const namesOf = (containers: readonly { readonly name?: string | undefined }[] | null | undefined): readonly string[] =>
    (containers ?? []).map(({ name = '' }) => name);
  const { containers, initContainers, ephemeralContainers } = pod.spec ?? {};
  return { main: namesOf(containers), init: namesOf(initContainers), ephemeral: namesOf(ephemeralContainers) };
}

/** The container of the annotation that names the default one, if the pod has it. */
export function annotatedContainer({ product }: Call, pod: Decoded<corev1.Pod>): string | undefined {
  return pod.metadata?.annotations?.[product.rename('kubectl.kubernetes.io/default-container')] || undefined;
}

/** Reports which of several containers is chosen. Cf. podcmd.AllContainerNames. */
export function reportDefaultContainer(call: Call, pod: JsonObject): void {
  const { main, init, ephemeral } = containerNames(pod);
  if (main.length + init.length + ephemeral.length < 2) return;
  const all = [...main, ...ephemeral.map((name) => `${name} (ephem)`), ...init.map((name) => `${name} (init)`)];
  call.err(`Defaulted container ${JSON.stringify(main[0])} out of: ${all.join(', ')}\n`);
}

/** The named container, the annotated one, or the first one, which is reported. Cf. podcmd.FindOrDefaultContainerByName. @throws KubectlError */
export function findOrDefaultContainer(call: Call, pod: JsonObject, name: string): string {
  const { main, init, ephemeral } = containerNames(pod);
  const all = [...main, ...init, ...ephemeral];
  if (name !== '') {
    if (!all.includes(name)) throw new KubectlError(`container ${name} not found in pod ${nameOf(pod)}`);
    return name;
  }
  const annotated = annotatedContainer(call, pod);
  if (annotated !== undefined && all.includes(annotated)) return annotated;
  if (!call.flags.has('quiet') || !call.flags.bool('quiet')) reportDefaultContainer(call, pod);
  return main[0] ?? '';
}
