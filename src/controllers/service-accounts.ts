import { tryWrite, writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { isActive } from './namespaces.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

const name = 'default';

/** Creates the `default` service account in every active namespace (part 5.2). Cf. pkg/controller/serviceaccount. */
export const defaultServiceAccount: Controller = (parts, signal) => {
  const { api } = parts;
  const make = createSingleWorkerQueue('default service account', { ...parts, signal }, async () => {
    if (!accounts.hasSynced) return;
    for (const namespace of namespaces.objects.values()) {
      const { name: space = '' } = namespace.metadata;
      if (!isActive(namespace) || accounts.objects.has(`${space}/${name}`)) continue;
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
      await tryWrite(api, writeRequest('POST', `/api/v1/namespaces/${space}/serviceaccounts`, account, signal));
    }
  });
  const accounts = startInformer(parts, { path: '/api/v1/serviceaccounts', fieldSelector: `metadata.name=${name}` }, () => make(), signal);
  const namespaces = startInformer(parts, { path: '/api/v1/namespaces', fieldSelector: '' }, () => make(), signal);
};
