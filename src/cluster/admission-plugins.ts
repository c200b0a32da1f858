import {
  type AdmissionPlugin,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  limitRanger,
  namespaceLifecycle,
  type ObjectSource,
  type PolicyIndex,
  podSecurity,
  priority,
  runtimeClass,
  type SignerRights,
  serviceAccount,
  storageObjectInUseProtection,
  taintNodesByCondition,
  trustBundleAttest,
  validatingPolicies,
} from '../admission/index.ts';
import { type Authorizer, resourceAttributes } from '../authz/index.ts';
import type { Random } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import type { ObjectStore } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { objectSource } from './object-source.ts';
import { policyWorld } from './policy-world.ts';

export interface AdmissionParts {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly random: Random;
  readonly authorization: Authorizer;
  readonly kinds: Kinds;
  /** What is served now, custom resources among it. */
  readonly served: () => Catalog;
  readonly policies: PolicyIndex;
}

/** The plugins that are on by default, in the real server's order (upstream kubeapiserver/options AllOrderedPlugins). */
export function admissionPlugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { store, catalog, product, random, authorization, policies } = parts;
  const source = (groupVersion: string, resource: string): ObjectSource =>
    objectSource({ store, catalog, product }, groupVersion, resource);
  const rights = signerRights(authorization, product);
  const namespaces = source('v1', 'namespaces');
  return [
    namespaceLifecycle((name) => namespaces.find('', name), product),
    limitRanger(source('v1', 'limitranges'), product),
    serviceAccount(source('v1', 'serviceaccounts'), random, product),
    taintNodesByCondition(product),
    podSecurity((name) => namespaces.find('', name), source('v1', 'pods'), product),
    priority(source('scheduling.k8s.io/v1', 'priorityclasses')),
    defaultTolerationSeconds(product),
    defaultStorageClass(source('storage.k8s.io/v1', 'storageclasses'), product),
    storageObjectInUseProtection(product),
    runtimeClass(source('node.k8s.io/v1', 'runtimeclasses')),
    certificateApproval(rights),
    certificateSigning(rights),
    trustBundleAttest(rights),
    certificateSubjectRestriction(product),
    defaultIngressClass(source('networking.k8s.io/v1', 'ingressclasses'), product),
    validatingPolicies(
      policies,
      policyWorld(parts, (name) => namespaces.find('', name)),
      product,
    ),
  ];
}

/** A right about a signer is one about a resource that nobody stores. */
function signerRights(authorization: Authorizer, product: Product): SignerRights {
  const group = product.rename('certificates.k8s.io');
  return async (user, verb, name) => {
    const { verdict } = await authorization.authorize(resourceAttributes(user, { verb, group, resource: 'signers', name }));
    return verdict === 'allow';
  };
}
