import type { Operation } from './operations.ts';
import { inOrder, type Parameter } from './parameters.ts';

export interface PathItem {
  readonly path: string;
  /** Parameters that all operations of the path have, in order. */
  readonly shared: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** Operations by their path, paths sorted. */
export function byPath(operations: readonly Operation[]): readonly PathItem[] {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) {
    const same = paths.get(operation.path);
    if (same) same.push(operation);
    else paths.set(operation.path, [operation]);
  }
  return [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, all]) => {
      const [first, ...others] = all;
      const shared = (first?.parameters ?? []).filter((parameter) => others.every(({ parameters }) => parameters.includes(parameter)));
      return { path, shared: inOrder(shared), operations: all };
    });
}

/** Catalog types that the operations name. */
export function typesOf(operations: readonly Operation[]): ReadonlySet<string> {
  return new Set(operations.flatMap(({ body, responses }) => [...(body ? [body.type] : []), ...responses.map(([, type]) => type)]));
}

export function responseDescription(code: number): string {
  return { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' }[code] ?? '';
}
