import { ObjectCache, PolicyIndex } from '../../admission/index.ts';
import type { Log } from '../../env/index.ts';
import type { ApiObject, Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import type { Catalog } from '../../schema/index.ts';

/** The registered admission policies and webhooks. */
export interface AdmissionRegistrations {
  readonly policies: PolicyIndex;
  readonly mutatingWebhooks: ObjectCache;
  readonly validatingWebhooks: ObjectCache;
}

/** Watches admission policies, bindings and webhooks; a write takes effect with the next request. */
export async function watchPolicies(store: ObjectStore, catalog: Catalog, product: Product, log: Log): Promise<AdmissionRegistrations> {
  const policies = new PolicyIndex();
  const mutatingWebhooks = new ObjectCache();
  const validatingWebhooks = new ObjectCache();
  const groupVersion = product.rename('admissionregistration.k8s.io/v1');
  const watchResource = async (name: string, change: (name: string, object: ApiObject | undefined) => void): Promise<void> => {
    const resource = catalog.resource(groupVersion, name);
    if (!resource) throw new Error(`the catalog has no ${name}`);
    const prefix = keyPrefix(resource);
    await watchObjects(store, resource, (key, object) => change(key.slice(prefix.length), object), log);
  };
  await Promise.all([
    watchResource('validatingadmissionpolicies', (name, object) => policies.updatePolicy(name, object)),
    watchResource('validatingadmissionpolicybindings', (name, object) => policies.updateBinding(name, object)),
    watchResource('mutatingwebhookconfigurations', (name, object) => mutatingWebhooks.update(name, object)),
    watchResource('validatingwebhookconfigurations', (name, object) => validatingWebhooks.update(name, object)),
  ]);
  return { policies, mutatingWebhooks, validatingWebhooks };
}
