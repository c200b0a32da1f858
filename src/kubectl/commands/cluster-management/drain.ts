import { isJsonObject, type JsonObject, parseLabelSelector, SelectorError } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { formatResource } from '../../api/discovery.ts';
import { bool, duration, int, text } from '../../parse/flags.ts';
import { type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import {
  AggregatedErrors,
  isStatus,
  KubectlError,
  messageOf,
  PlainError,
  throwCollected,
  undefinedIfNotFound,
} from '../../program/errors.ts';
import { dryRunFlag, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, patchObject } from '../../resources/changes.ts';
import { type Info, itemsOf, metadataOf, nameOf, namespaceOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { pods as podResource } from '../resolve-pods.ts';

const cordonFlags = { ...dryRunFlag, ...selectorFlag };

export const cordon: Command = { flags: cordonFlags, run: (call) => cordonAll(call, true) };
export const uncordon: Command = { flags: cordonFlags, run: (call) => cordonAll(call, false) };

export const drain: Command = {
  flags: {
    ...cordonFlags,
    'chunk-size': int(500),
    'delete-emptydir-data': bool(),
    'disable-eviction': bool(),
    force: bool(),
    'grace-period': int(-1),
    'ignore-daemonsets': bool(),
    'pod-selector': text(),
    'skip-wait-for-delete-timeout': int(0),
    timeout: duration(),
  },
  run: runDrain,
};

/** The nodes, and the dry run. Cf. kubectl cmd/drain Complete. @throws KubectlError */
async function complete(call: Call): Promise<{ readonly nodes: readonly Info[]; readonly dryRun: DryRun }> {
  const { words, flags, commandPath } = call;
  const selector = flags.text('selector');
  if (words.length === 0 && !flags.changed('selector')) throw usageError(call, `USAGE: ${commandPath} NODE [flags]`);
  if (words.length > 0 && selector !== '') throw usageError(call, 'error: cannot specify both a node name and a --selector option');
  const dryRun = parseDryRun(call);
  await call.cluster();
  if (flags.has('pod-selector')) requirePodSelector(flags.text('pod-selector'));
  const selection = selector === '' ? { defaultType: 'nodes' } : { words: ['nodes'] };
  const builder = new Builder(call, await requestFromFlags(call, { ...selection, latest: true, singleType: true }));
  const { infos } = await builder.infos();
  const other = infos.find(({ resource }) => resource.name !== 'nodes');
  if (other) throw new KubectlError(`error: expected resource of type node, got ${JSON.stringify(formatResource(other.resource))}`);
  return { nodes: infos, dryRun };
}

/** @throws KubectlError */
function requirePodSelector(selector: string): void {
  try {
    parseLabelSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) throw new KubectlError('--pod-selector=<pod_selector> must be a valid label selector');
    throw error;
  }
}

async function cordonAll(call: Call, wanted: boolean): Promise<number> {
  const { nodes, dryRun } = await complete(call);
  for (const info of nodes) await cordonOne(call, info, wanted, dryRun);
  return 0;
}

async function cordonOne(call: Call, info: Info, wanted: boolean, dryRun: DryRun): Promise<void> {
  const spec = isJsonObject(info.object?.['spec']) ? info.object['spec'] : {};
  const done = wanted ? 'cordoned' : 'uncordoned';
  if ((spec['unschedulable'] === true) === wanted) return call.out(`node/${info.name} ${withDryRun(`already ${done}`, dryRun)}\n`);
  if (dryRun !== 'client') {
    const body = JSON.stringify({ spec: { unschedulable: wanted ? true : null } });
    await patchObject(call, info, 'strategic', body, { manager: 'kubectl-cordon', dryRun });
  }
  call.out(`node/${info.name} ${withDryRun(done, dryRun)}\n`);
}

async function runDrain(call: Call): Promise<number> {
  const { nodes, dryRun } = await complete(call);
  for (const node of nodes) await cordonOne(call, node, true, dryRun);
  const errors: unknown[] = [];
  const pending: string[] = [];
  for (const node of nodes) {
    try {
      await drainOne(call, node, dryRun);
      call.out(`node/${node.name} ${withDryRun('drained', dryRun)}\n`);
    } catch (error) {
      if (!(error instanceof KubectlError || error instanceof AggregatedErrors)) throw error;
      call.err(`error: unable to drain node ${JSON.stringify(node.name)} due to error: ${messageOf(error)}, continuing command...\n`);
      pending.push(node.name);
      errors.push(...(error instanceof AggregatedErrors ? error.errors : [error]));
    }
  }
  if (pending.length > 0) call.err(`There are pending nodes to be drained:\n${pending.map((name) => ` ${name}\n`).join('')}`);
  if (errors.length > 0) {
    call.err(errors.map((error) => `${messageOf(error)}\n`).join(''));
    return 1;
  }
  return 0;
}

interface DrainCheck {
  readonly pod: JsonObject;
  readonly error?: string;
  readonly warning?: string;
  readonly skip?: boolean;
}

const texts = {
  daemonSet: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
  daemonSetIgnored: 'ignoring DaemonSet-managed Pods',
  local: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
  alone: 'cannot delete cannot delete Pods that declare no controller (use --force to override)',
  aloneDeleted: 'deleting Pods that declare no controller',
};

function checkPod({ flags, product }: Call, pod: JsonObject): DrainCheck {
  const { metadata = {}, spec, status }: Decoded<corev1.Pod> = pod;
  const { annotations = {}, ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller);
  const finished = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (Object.hasOwn(annotations, product.rename('kubernetes.io/config.mirror'))) return { pod, skip: true };
  if (owner?.kind === 'DaemonSet' && !finished)
    return flags.bool('ignore-daemonsets') ? { pod, skip: true, warning: texts.daemonSetIgnored } : { pod, error: texts.daemonSet };
  const isLocal = !finished && spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined);
  if (isLocal && !flags.bool('delete-emptydir-data')) return { pod, error: texts.local };
  if (!owner && !finished) return flags.bool('force') ? { pod, warning: texts.aloneDeleted } : { pod, error: texts.alone };
  return { pod };
}

const qualifiedPodName = (pod: JsonObject): string => `${namespaceOf(pod)}/${nameOf(pod)}`;

function groupMessages(checks: readonly DrainCheck[], of: 'error' | 'warning'): string[] {
  const messages = [...new Set(checks.flatMap((verdict) => verdict[of] ?? []))];
  return messages.map(
    (message) =>
      `${message}: ${checks
        .filter((verdict) => verdict[of] === message)
        .map(({ pod }) => qualifiedPodName(pod))
        .join(', ')}`,
  );
}

async function drainOne(call: Call, node: Info, dryRun: DryRun): Promise<void> {
  const checks = await checkPods(call, node);
  const errors = groupMessages(checks, 'error');
  throwCollected(errors.map((message) => new PlainError(message)));
  const warnings = groupMessages(checks, 'warning');
  if (warnings.length > 0) call.err(`Warning: ${warnings.join('; ')}\n`);
  const evictable = checks.filter(({ skip }) => !skip).map(({ pod }) => pod);
  if (dryRun === 'client') {
    for (const pod of evictable) call.out(`evicting pod ${withDryRun(qualifiedPodName(pod), dryRun)}\n`);
    return;
  }
  const endMs = call.shell.clock.monotonicMs() + (call.flags.duration('timeout') || Number.POSITIVE_INFINITY);
  // In the order in which Go runs the routines that kubectl starts: the last one first.
  const inOrder = [...evictable.slice(-1), ...evictable.slice(0, -1)];
  const evictions = await Promise.allSettled(inOrder.map((pod) => evict(call, pod, dryRun, endMs)));
  const failures = evictions.flatMap((eviction): unknown[] => (eviction.status === 'rejected' ? [eviction.reason] : []));
  for (const failure of failures) if (!(failure instanceof KubectlError)) throw failure;
  if (failures.length === 0) return;
  const message = aggregate(failures.map(messageOf));
  const pending = (await checkPods(call, node)).filter(({ skip, error }) => !skip && error === undefined);
  if (pending.length > 0)
    call.err(
      `There are pending pods in node ${JSON.stringify(node.name)} when an error occurred: ${message}\n${pending.map(({ pod }) => `pod/${nameOf(pod)}\n`).join('')}`,
    );
  throw new KubectlError(message);
}

async function checkPods(call: Call, node: Info): Promise<readonly DrainCheck[]> {
  const client = await call.api();
  const list = await client.read('GET', '/api/v1/pods', {
    query: { fieldSelector: `spec.nodeName=${node.name}`, labelSelector: call.flags.text('pod-selector') || undefined, limit: '500' },
  });
  return itemsOf(list).map((pod) => checkPod(call, pod));
}

/** Cf. apimachinery utilerrors.NewAggregate. */
const aggregate = (messages: readonly string[]): string => (messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`);

const retryMs = 5_000;
const pollMs = 1_000;

/** Evicts a pod, as soon as its disruption budgets allow it, and waits until it is deleted. Cf. pkg/drain/drain.go evictPods. */
async function evict(call: Call, pod: JsonObject, dryRun: DryRun, endMs: number): Promise<void> {
  const { clock } = call.shell;
  const name = `pods/${JSON.stringify(nameOf(pod))} -n ${JSON.stringify(namespaceOf(pod))}`;
  for (;;) {
    call.out(`evicting pod ${withDryRun(qualifiedPodName(pod), dryRun)}\n`);
    if (clock.monotonicMs() >= endMs)
      throw new KubectlError(`error when evicting ${name}: global timeout reached: ${call.flags.text('timeout')}`);
    try {
      await createEviction(call, pod, dryRun);
      break;
    } catch (error) {
      if (isStatus(error, 'NotFound')) return;
      if (!isStatus(error, 'TooManyRequests')) throw new KubectlError(`error when evicting ${name}: ${messageOf(error)}`);
      call.err(`error when evicting ${name} (will retry after 5s): ${messageOf(error)}\n`);
      await clock.sleep(retryMs, call.signal);
    }
  }
  if (dryRun === 'none') await waitUntilDeleted(call, pod, endMs);
}

async function createEviction(call: Call, pod: JsonObject, dryRun: DryRun): Promise<void> {
  const grace = call.flags.int('grace-period');
  const deleteOptions = { ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}), ...(dryRun === 'server' ? { dryRun: ['All'] } : {}) };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: nameOf(pod), namespace: namespaceOf(pod) }, deleteOptions };
  const place = { resource: podResource, namespace: namespaceOf(pod), name: nameOf(pod) };
  await createObject(call, place, body, { manager: '', dryRun, subresource: 'eviction' });
}

async function waitUntilDeleted(call: Call, pod: JsonObject, endMs: number): Promise<void> {
  const client = await call.api();
  const { clock } = call.shell;
  for (;;) {
    const live = await undefinedIfNotFound(client.read('GET', `/api/v1/namespaces/${namespaceOf(pod)}/pods/${nameOf(pod)}`));
    if (!live || metadataOf(live)['uid'] !== metadataOf(pod)['uid']) {
      call.out(`pod/${nameOf(pod)} evicted\n`);
      return;
    }
    if (clock.monotonicMs() >= endMs)
      throw new KubectlError(
        `error when waiting for pod ${JSON.stringify(nameOf(pod))} in namespace ${JSON.stringify(namespaceOf(pod))} to terminate: global timeout reached: ${call.flags.text('timeout')}`,
      );
    await clock.sleep(pollMs, call.signal);
  }
}
