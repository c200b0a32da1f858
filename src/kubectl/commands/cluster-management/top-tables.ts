import { parseQuantity, quantityInteger } from '../../../meta/index.ts';
import type { metricsv1beta1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { alignColumns } from '../../printers/table-writer.ts';
import { nameOf, namespaceOf } from '../../resources/info.ts';

/** CPU in thousandths, memory in bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

export type SortBy = '' | 'cpu' | 'memory';

const nothing: Usage = { cpu: 0, memory: 0 };

export function usageOf(amounts: Decoded<Readonly<Record<string, string>>> | null | undefined): Usage {
  const { cpu = '0', memory = '0' } = amounts ?? {};
  return { cpu: Number(quantityInteger(parseQuantity(cpu), -3)), memory: Number(quantityInteger(parseQuantity(memory))) };
}

const add = (sum: Usage, { cpu, memory }: Usage): Usage => ({ cpu: sum.cpu + cpu, memory: sum.memory + memory });

const mebibytes = (memory: number): string => `${Math.trunc(memory / 1024 / 1024)}Mi`;

/** By the usage, the largest first, else by the name. */
function sorted<T extends { readonly usage: Usage; readonly key: string }>(rows: readonly T[], by: SortBy): readonly T[] {
  return [...rows].sort((a, b) => (by === '' ? (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) : b.usage[by] - a.usage[by]));
}

/** Every cell ends with a tab, also the last one of a line. */
const align = (lines: readonly (readonly string[])[]): string => alignColumns(lines.map((cells) => [...cells, '']));

export interface TableOptions {
  readonly sortBy: SortBy;
  readonly headers: boolean;
}

/** Cf. pkg/metricsutil PrintNodeMetrics. `available`: what the nodes have; those without metrics come last. */
export function nodeTable(
  metrics: readonly Decoded<metricsv1beta1.NodeMetrics>[],
  available: ReadonlyMap<string, Usage>,
  options: TableOptions,
): string {
  const rows = sorted(
    metrics.map((item) => ({ key: nameOf(item), usage: usageOf(item.usage) })),
    options.sortBy,
  );
  const share = (used: number, of: number | undefined): string =>
    of === undefined || of === 0 ? '<unknown>' : `${Math.trunc((used / of) * 100)}%`;
  const measured = new Set(rows.map(({ key }) => key));
  return align([
    ...(options.headers ? [['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)']] : []),
    ...rows.map(({ key, usage: { cpu, memory } }) => {
      const whole = available.get(key);
      return [key, `${cpu}m`, share(cpu, whole?.cpu), mebibytes(memory), share(memory, whole?.memory)];
    }),
    ...[...available.keys()]
      .filter((name) => !measured.has(name))
      .map((name) => [name, '<unknown>', '<unknown>', '<unknown>', '<unknown>']),
  ]);
}

export interface PodTableOptions extends TableOptions {
  readonly containers: boolean;
  readonly namespaces: boolean;
  readonly sum: boolean;
}

/** Cf. pkg/metricsutil PrintPodMetrics. */
export function podTable(
  metrics: readonly Decoded<metricsv1beta1.PodMetrics>[],
  { sortBy, headers, containers, namespaces, sum }: PodTableOptions,
): string {
  const pods = sorted(
    metrics.map((item) => {
      const parts = (item.containers ?? []).map(({ name = '', usage }) => ({ key: name, usage: usageOf(usage) }));
      const key = namespaces ? `${namespaceOf(item)}/${nameOf(item)}` : nameOf(item);
      return { key, item, parts, usage: parts.reduce((total, { usage }) => add(total, usage), nothing) };
    }),
    sortBy,
  );
  const line = ({ cpu, memory }: Usage): readonly string[] => [`${cpu}m`, mebibytes(memory)];
  const rows = pods.flatMap(({ item, parts, usage }) => {
    const place = [...(namespaces ? [namespaceOf(item)] : []), nameOf(item)];
    return containers ? sorted(parts, sortBy).map((part) => [...place, part.key, ...line(part.usage)]) : [[...place, ...line(usage)]];
  });
  const header = [...(namespaces ? ['NAMESPACE'] : []), ...(containers ? ['POD', 'NAME'] : ['NAME']), 'CPU(cores)', 'MEMORY(bytes)'];
  const blank = header.slice(2).map(() => '');
  const total = pods.reduce((whole, { usage }) => add(whole, usage), nothing);
  return align([
    ...(headers ? [header] : []),
    ...rows,
    ...(sum
      ? [
          [...blank, '________', '________'],
          [...blank, ...line(total)],
        ]
      : []),
  ]);
}
