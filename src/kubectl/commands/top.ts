import { isJsonObject, type JsonObject, objectsAt, parseQuantity, quantityInteger } from '../../meta/index.ts';
import { bool, text } from '../parse/flags.ts';
import { alignColumns } from '../printers/table-writer.ts';
import type { Call, Command } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { selectorFlag } from '../program/global-flags.ts';
import { itemsOf, nameOf, namespaceOf } from '../resources/info.ts';

const flags = {
  ...selectorFlag,
  'no-headers': bool(),
  'sort-by': text('', undefined, 'cpu or memory'),
  'show-capacity': bool(),
  'use-protocol-buffers': bool(true),
};

/** @throws KubectlError when the cluster has no metrics API */
async function listMetrics(call: Call, path: string): Promise<readonly JsonObject[]> {
  const cluster = await call.cluster();
  const known = await cluster.resources();
  if (!known.some(({ group }) => group === 'metrics.k8s.io')) throw new KubectlError('Metrics API not available');
  const selector = call.flags.text('selector');
  return itemsOf(
    await cluster.client.read('GET', `/apis/metrics.k8s.io/v1beta1${path}`, { query: { labelSelector: selector || undefined } }),
  );
}

interface Usage {
  readonly cpuMillis: number;
  readonly memoryMi: number;
}

function usageOf(value: unknown): Usage {
  const usage = isJsonObject(value) ? value : {};
  return {
    cpuMillis: Number(quantityInteger(parseQuantity(String(usage['cpu'] ?? '0')), -3)),
    memoryMi: Math.floor(Number(quantityInteger(parseQuantity(String(usage['memory'] ?? '0')))) / 1024 / 1024),
  };
}

function sortRows<T extends { readonly usage: Usage }>({ flags: given }: Call, rows: T[]): T[] {
  const by = given.text('sort-by');
  if (by === '') return rows;
  if (by !== 'cpu' && by !== 'memory') throw new KubectlError('--sort-by accepts only cpu or memory');
  return rows.sort((left, right) =>
    by === 'cpu' ? right.usage.cpuMillis - left.usage.cpuMillis : right.usage.memoryMi - left.usage.memoryMi,
  );
}

const pod: Command = {
  flags: { ...flags, 'all-namespaces': bool(false, 'A'), containers: bool(), sum: bool(), 'field-selector': text() },
  async run(call) {
    const { name } = await call.namespace();
    const all = call.flags.bool('all-namespaces');
    const items = await listMetrics(call, all ? '/pods' : `/namespaces/${name}/pods`);
    const rows = items
      .filter((item) => call.words.length === 0 || call.words.includes(nameOf(item)))
      .flatMap((item) => {
        const containers = objectsAt(item, 'containers');
        const parts = containers.map((container) => ({ item, container: String(container['name']), usage: usageOf(container['usage']) }));
        if (call.flags.bool('containers')) return parts;
        const usage = parts.reduce(
          (sum, one) => ({ cpuMillis: sum.cpuMillis + one.usage.cpuMillis, memoryMi: sum.memoryMi + one.usage.memoryMi }),
          { cpuMillis: 0, memoryMi: 0 },
        );
        return [{ item, container: '', usage }];
      });
    const withContainers = call.flags.bool('containers');
    const header = [
      ...(all ? ['NAMESPACE'] : []),
      withContainers ? 'POD' : 'NAME',
      ...(withContainers ? ['NAME'] : []),
      'CPU(cores)',
      'MEMORY(bytes)',
    ];
    const lines = sortRows(call, rows).map(({ item, container, usage }) => [
      ...(all ? [namespaceOf(item)] : []),
      nameOf(item),
      ...(withContainers ? [container] : []),
      `${usage.cpuMillis}m`,
      `${usage.memoryMi}Mi`,
    ]);
    call.out(alignColumns(call.flags.bool('no-headers') ? lines : [header, ...lines]));
    return 0;
  },
};

const node: Command = {
  flags,
  async run(call) {
    const items = await listMetrics(call, '/nodes');
    const nodes = itemsOf(await (await call.api()).read('GET', '/api/v1/nodes'));
    const rows = items
      .filter((item) => call.words.length === 0 || call.words.includes(nameOf(item)))
      .map((item) => ({ item, usage: usageOf(item['usage']), whole: capacityOf(nodes, nameOf(item)) }));
    const share = (part: number, whole: number): string => (whole === 0 ? '<unknown>' : `${Math.floor((part * 100) / whole)}%`);
    const lines = sortRows(call, rows).map(({ item, usage, whole }) => [
      nameOf(item),
      `${usage.cpuMillis}m`,
      share(usage.cpuMillis, whole.cpuMillis),
      `${usage.memoryMi}Mi`,
      share(usage.memoryMi, whole.memoryMi),
    ]);
    call.out(
      alignColumns(call.flags.bool('no-headers') ? lines : [['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'], ...lines]),
    );
    return 0;
  },
};

function capacityOf(nodes: readonly JsonObject[], name: string): Usage {
  const status = nodes.find((one) => nameOf(one) === name)?.['status'];
  return usageOf(isJsonObject(status) ? status['allocatable'] : undefined);
}

export const top: Command = {
  help: {
    about: 'Display resource (CPU/memory) usage.\n\n The figures come from a metrics server; without one there is nothing to show.',
    usage: 'kubectl top [flags] [options]',
  },
  subcommands: {
    node: { about: 'Display resource (CPU/memory) usage of nodes', aliases: ['nodes', 'no'], load: () => Promise.resolve(node) },
    pod: { about: 'Display resource (CPU/memory) usage of pods', aliases: ['pods', 'po'], load: () => Promise.resolve(pod) },
  },
};
