import { attempted, requestOf } from './api-call.ts';
import type { Controller } from './controller.ts';
import { follow } from './followed.ts';
import { isActive } from './namespaces.ts';
import { oneAtATime } from './one-at-a-time.ts';

const name = 'default';

/** Creates the `default` service account in every active namespace (part 5.2). Cf. pkg/controller/serviceaccount. */
export const defaultServiceAccount: Controller = (parts, signal) => {
  const { api } = parts;
  const make = oneAtATime('default service account', { ...parts, signal }, async () => {
    if (!accounts.isListed) return;
    for (const namespace of namespaces.objects.values()) {
      const { name: space = '' } = namespace.metadata;
      if (!isActive(namespace) || accounts.objects.has(`${space}/${name}`)) continue;
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } };
      await attempted(api, requestOf('POST', `/api/v1/namespaces/${space}/serviceaccounts`, account, signal));
    }
  });
  const accounts = follow(parts, { path: '/api/v1/serviceaccounts', fieldSelector: `metadata.name=${name}` }, () => make(), signal);
  const namespaces = follow(parts, { path: '/api/v1/namespaces', fieldSelector: '' }, () => make(), signal);
};
