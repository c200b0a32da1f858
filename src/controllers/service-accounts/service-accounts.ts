import { corev1Namespaces, corev1ServiceAccounts } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { isActive } from '../namespaces/is-active.ts';
import { startWorkers } from '../start-workers.ts';

const name = 'default';

/** Creates the `default` service account in every active namespace (part 5.2). Cf. pkg/controller/serviceaccount. */
export const serviceAccounts: Controller = (context) => {
  const { client, informers } = context;
  const namespaces = informers.informer(corev1Namespaces);
  const accounts = informers.informer(corev1ServiceAccounts);
  const reconcile = async (namespace: string): Promise<void> => {
    const current = namespaces.store.get(namespace);
    if (!current || !isActive(current) || accounts.store.has(`${namespace}/${name}`)) return;
    await ignoreStaleWrite(client.resource(corev1ServiceAccounts).create({ metadata: { namespace, name } }));
  };
  const queue = startWorkers({ name: 'serviceaccount-controller', informers: [namespaces, accounts], reconcile }, context);
  const enqueue = (namespace: string | undefined): void => queue.add(namespace ?? '');
  namespaces.addHandler({ onAdd: ({ metadata }) => enqueue(metadata.name), onUpdate: ({ metadata }) => enqueue(metadata.name) });
  accounts.addHandler({ onDelete: ({ metadata }) => enqueue(metadata.namespace) });
};
