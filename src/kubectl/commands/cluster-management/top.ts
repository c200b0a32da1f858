import { formatDuration, type JsonObject, parseTime } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { selectorFlag } from '../../program/global-flags.ts';
import { itemsOf, metadataOf, nameOf } from '../../resources/info.ts';
import { nodeTable, podTable, type SortBy, usageOf } from './top-tables.ts';

const flags = {
  ...selectorFlag,
  'no-headers': bool(),
  'sort-by': text(),
  'show-swap': bool(),
  'use-protocol-buffers': bool(true),
};

/** Pods that are younger may have no metrics yet. Cf. metricsCreationDelay. */
const creationDelayMs = 120_000;

interface Target {
  readonly name: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** The name in the command, or the selectors. @throws KubectlError */
function readTarget(call: Call): Target {
  const { words, flags: given } = call;
  if (words.length > 1) throw usageError(call, `${call.commandPath.split(' ').at(-1)} [NAME | -l label]`);
  const [name = ''] = words;
  const labelSelector = given.text('selector') || undefined;
  const fieldSelector = call.commandPath.includes('pod') ? given.text('field-selector') || undefined : undefined;
  if (name !== '' && (labelSelector ?? fieldSelector) !== undefined) throw new KubectlError('only one of NAME or selector can be provided');
  return { name, query: { labelSelector, fieldSelector } };
}

/** @throws KubectlError */
function readSortBy({ flags: given }: Call): SortBy {
  const by = given.text('sort-by');
  if (by !== '' && by !== 'cpu' && by !== 'memory') throw new KubectlError('--sort-by accepts only cpu or memory');
  return by;
}

/** The named object, or the items of a list. */
async function read(call: Call, path: string, { name, query }: Target): Promise<readonly JsonObject[]> {
  const client = await call.api();
  return name === '' ? itemsOf(await client.read('GET', path, { query })) : [await client.read('GET', `${path}/${name}`)];
}

/** @throws KubectlError when the cluster has no metrics API */
async function readMetrics(call: Call, path: string): Promise<readonly JsonObject[]> {
  const target = readTarget(call);
  const group = call.product.rename('metrics.k8s.io');
  const known = await (await call.cluster()).resources(false, 0);
  if (!known.some((resource) => resource.group === group)) throw new KubectlError('Metrics API not available');
  return read(call, `/apis/${group}/v1beta1${path}`, target);
}

const pod: Command = {
  flags: { ...flags, 'all-namespaces': bool(false, 'A'), containers: bool(), sum: bool(), 'field-selector': text() },
  async run(call) {
    const sortBy = readSortBy(call);
    const { name: namespace } = await call.namespace();
    const namespaces = call.flags.bool('all-namespaces');
    const path = namespaces ? '/pods' : `/namespaces/${namespace}/pods`;
    const metrics = await readMetrics(call, path);
    if (metrics.length === 0) {
      await explainMissing(call, `/api/v1${path}`);
      call.err(namespaces ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
      return 0;
    }
    const headers = !call.flags.bool('no-headers');
    call.out(podTable(metrics, { sortBy, headers, containers: call.flags.bool('containers'), namespaces, sum: call.flags.bool('sum') }));
    return 0;
  },
};

/** Cf. verifyEmptyMetrics. @throws KubectlError when there are pods, but none with metrics */
async function explainMissing(call: Call, path: string): Promise<void> {
  const pods = await read(call, path, readTarget(call));
  if (pods.length === 0) return;
  const nowMs = call.shell.clock.nowMs();
  for (const one of pods) {
    const { namespace, creationTimestamp } = metadataOf(one);
    const ageMs = nowMs - parseTime(String(creationTimestamp));
    const age = formatDuration(BigInt(ageMs) * 1_000_000n);
    if (ageMs > creationDelayMs) throw new KubectlError(`Metrics not available for pod ${String(namespace)}/${nameOf(one)}, age: ${age}`);
  }
  throw new KubectlError('metrics not available yet');
}

const node: Command = {
  flags: { ...flags, 'show-capacity': bool() },
  async run(call) {
    const sortBy = readSortBy(call);
    const metrics = await readMetrics(call, '/nodes');
    if (metrics.length === 0) throw new KubectlError('metrics not available yet');
    const amounts = call.flags.bool('show-capacity') ? 'capacity' : 'allocatable';
    const nodes: readonly Decoded<corev1.Node>[] = await read(call, '/api/v1/nodes', readTarget(call));
    const available = new Map(nodes.map((one) => [nameOf(one), usageOf(one.status?.[amounts])]));
    call.out(nodeTable(metrics, available, { sortBy, headers: !call.flags.bool('no-headers') }));
    return 0;
  },
};

export const top: Command = {
  subcommands: {
    node: { about: 'Display resource (CPU/memory) usage of nodes', aliases: ['nodes', 'no'], load: () => Promise.resolve(node) },
    pod: { about: 'Display resource (CPU/memory) usage of pods', aliases: ['pods', 'po'], load: () => Promise.resolve(pod) },
  },
};
