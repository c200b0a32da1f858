import { FollowedObjects, PolicyIndex } from '../admission/index.ts';
import type { Log } from '../env/index.ts';
import type { ApiObject, Product } from '../meta/index.ts';
import { followObjects, keyPrefix, type ObjectStore } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';

/** The registered admission policies and webhooks. */
export interface AdmissionRegistrations {
  readonly policies: PolicyIndex;
  readonly validatingWebhooks: FollowedObjects;
}

/** Watches admission policies, bindings and webhooks; a write takes effect with the next request. */
export async function watchPolicies(store: ObjectStore, catalog: Catalog, product: Product, log: Log): Promise<AdmissionRegistrations> {
  const policies = new PolicyIndex();
  const validatingWebhooks = new FollowedObjects();
  const groupVersion = product.rename('admissionregistration.k8s.io/v1');
  const follow = async (name: string, change: (name: string, object: ApiObject | undefined) => void): Promise<void> => {
    const resource = catalog.resource(groupVersion, name);
    if (!resource) throw new Error(`the catalog has no ${name}`);
    const prefix = keyPrefix(resource);
    await followObjects(store, resource, (key, object) => change(key.slice(prefix.length), object), log);
  };
  await Promise.all([
    follow('validatingadmissionpolicies', (name, object) => policies.changePolicy(name, object)),
    follow('validatingadmissionpolicybindings', (name, object) => policies.changeBinding(name, object)),
    follow('validatingwebhookconfigurations', (name, object) => validatingWebhooks.change(name, object)),
  ]);
  return { policies, validatingWebhooks };
}
