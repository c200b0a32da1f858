import {
  createMutatingPolicyReader,
  createValidatingPolicyReader,
  type MutatingPolicy,
  ObjectCache,
  PolicyIndex,
  type ValidatingPolicy,
} from '../../admission/index.ts';
import type { Log } from '../../env/index.ts';
import type { ApiObject, FeatureGates, Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import { type Catalog, type Resource, requireResource } from '../../schema/index.ts';

/** The registered admission policies and webhooks. */
export interface AdmissionRegistrations {
  readonly validatingPolicies: PolicyIndex<ValidatingPolicy>;
  /** Undefined: the feature gate is off, or no version is served. */
  readonly mutatingPolicies: PolicyIndex<MutatingPolicy> | undefined;
  readonly mutatingWebhooks: ObjectCache;
  readonly validatingWebhooks: ObjectCache;
}

interface WatchPoliciesOptions {
  /** The built-in resources that are served. */
  readonly catalog: Catalog;
  /** All built-in resources of stable versions. */
  readonly known: Catalog;
  readonly product: Product;
  readonly featureGates: FeatureGates;
  readonly log: Log;
}

/** Watches admission policies, bindings and webhooks; a write takes effect with the next request. */
export async function watchPolicies(
  store: ObjectStore,
  { catalog, known, product, featureGates, log }: WatchPoliciesOptions,
): Promise<AdmissionRegistrations> {
  const validatingPolicies = new PolicyIndex(createValidatingPolicyReader);
  const mutatingWebhooks = new ObjectCache();
  const validatingWebhooks = new ObjectCache();
  const watchResource = async (resource: Resource, change: (name: string, object: ApiObject | undefined) => void): Promise<void> => {
    const prefix = keyPrefix(resource);
    await watchObjects(store, resource, (key, object) => change(key.slice(prefix.length), object), log);
  };
  const stable = (name: string): Resource => requireResource(known, product.rename('admissionregistration.k8s.io/v1'), name);
  /** The served version of the resources that are not stable. */
  const unstableVersion = ['v1beta1', 'v1alpha1']
    .map((version) => product.rename(`admissionregistration.k8s.io/${version}`))
    .find((version) => catalog.resource(version, 'mutatingadmissionpolicies'));
  const unstable = (name: string): Resource => requireResource(catalog, unstableVersion ?? '', name);
  const mutatingPolicies =
    featureGates.enabled('MutatingAdmissionPolicy') && unstableVersion ? new PolicyIndex(createMutatingPolicyReader) : undefined;
  await Promise.all([
    watchResource(stable('validatingadmissionpolicies'), (name, object) => validatingPolicies.updatePolicy(name, object)),
    watchResource(stable('validatingadmissionpolicybindings'), (name, object) => validatingPolicies.updateBinding(name, object)),
    watchResource(stable('mutatingwebhookconfigurations'), (name, object) => mutatingWebhooks.update(name, object)),
    watchResource(stable('validatingwebhookconfigurations'), (name, object) => validatingWebhooks.update(name, object)),
    mutatingPolicies && watchResource(unstable('mutatingadmissionpolicies'), (name, object) => mutatingPolicies.updatePolicy(name, object)),
    mutatingPolicies &&
      watchResource(unstable('mutatingadmissionpolicybindings'), (name, object) => mutatingPolicies.updateBinding(name, object)),
  ]);
  return { validatingPolicies, mutatingPolicies, mutatingWebhooks, validatingWebhooks };
}
