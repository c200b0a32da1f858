import { msg } from '@lit/localize';
import type { ApiResource } from '../../kubectl/index.ts';
import type { Product } from '../../meta/index.ts';

/** Resource types that serve one purpose. */
export interface TypeGroup {
  readonly title: string;
  readonly types: readonly ApiResource[];
  /** Whether users have defined the types. */
  readonly isCustom: boolean;
}

/** Types by their group and plural name, in the order of the list; `*` is the rest of a group. */
const groups = (): readonly (readonly [title: string, types: readonly string[]])[] => [
  [
    msg('Workloads'),
    [
      'pods',
      'apps/deployments',
      'apps/statefulsets',
      'apps/daemonsets',
      'batch/*',
      'apps/*',
      'replicationcontrollers',
      'podtemplates',
      'autoscaling/*',
      'policy/*',
    ],
  ],
  [msg('Network'), ['services', 'networking.k8s.io/ingresses', 'endpoints', 'discovery.k8s.io/*', 'networking.k8s.io/*']],
  [msg('Configuration'), ['configmaps', 'secrets', 'resourcequotas', 'limitranges']],
  [msg('Storage'), ['persistentvolumeclaims', 'persistentvolumes', 'storage.k8s.io/*', 'storagemigration.k8s.io/*']],
  [msg('Access'), ['serviceaccounts', 'rbac.authorization.k8s.io/*', 'certificates.k8s.io/*']],
  [
    msg('Cluster', { desc: 'types of the cluster itself' }),
    [
      'nodes',
      'namespaces',
      'events',
      '*',
      'apiextensions.k8s.io/*',
      'admissionregistration.k8s.io/*',
      'scheduling.k8s.io/*',
      'coordination.k8s.io/*',
      'node.k8s.io/*',
      'resource.k8s.io/*',
      'flowcontrol.apiserver.k8s.io/*',
      'apiregistration.k8s.io/*',
      'events.k8s.io/*',
      'internal.apiserver.k8s.io/*',
    ],
  ],
];

/** Groups types by purpose, and those of other groups as custom ones. */
export function groupTypes(types: readonly ApiResource[], product: Pick<Product, 'rename'>): readonly TypeGroup[] {
  const rest = new Set(types);
  const take = (entry: string): readonly ApiResource[] => {
    const [name = '', group = ''] = product.rename(entry).split('/').reverse();
    const found = [...rest].filter((type) => type.group === group && (name === '*' || type.name === name));
    for (const type of found) rest.delete(type);
    return found;
  };
  // Names come first, so that they are not part of the rest of their group.
  const all = groups().map(([title, entries]) => ({
    title,
    named: new Map(entries.filter((entry) => !entry.endsWith('*')).map((entry) => [entry, take(entry)])),
    entries,
  }));
  const grouped = all.map(({ title, named, entries }) => ({
    title,
    types: entries.flatMap((entry) => named.get(entry) ?? take(entry)),
    isCustom: false,
  }));
  return [...grouped, { title: msg('Custom', { desc: 'resource types' }), types: [...rest], isCustom: true }].filter(
    (group) => group.types.length > 0,
  );
}
