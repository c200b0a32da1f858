import {
  type AdmissionPlugin,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  claimResize,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  limitRanger,
  mutatingPolicies,
  mutatingWebhooks,
  namespaceLifecycle,
  type ObjectSource,
  type PluginSelection,
  type PodSecuritySettings,
  podSecurity,
  priority,
  type QuotaLimitCheck,
  type RegistrationMeter,
  resourceQuota,
  runtimeClass,
  type SignerAuthorizer,
  selectPlugins,
  serviceAccount,
  storageObjectInUseProtection,
  type TolerationSeconds,
  taintNodesByCondition,
  validatingPolicies,
  validatingWebhooks,
} from '../../admission/index.ts';
import { type Authorizer, resourceAttributes } from '../../authz/index.ts';
import type { ApiClient } from '../../client/index.ts';
import type { Clock, Log, Outbound, Random } from '../../env/index.ts';
import type { FeatureGates, JsonObject, Product } from '../../meta/index.ts';
import type { ObjectStore } from '../../registry/index.ts';
import { type Catalog, type DecodeTyped, parseGroupVersion } from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';
import { createAdmissionPost, type WebhookPost, type WebhookUsers } from '../access/webhook-post.ts';
import type { CustomConversion } from '../definitions/webhook-conversion.ts';
import { createObjectSource } from '../object-source.ts';
import { createPolicyEnvironment } from './policy-environment.ts';
import { createQuotaAccess } from './quota-access.ts';
import type { AdmissionRegistrations } from './watch-policies.ts';

export interface AdmissionContext {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly random: Random;
  readonly clock: Clock;
  /** Whether a controller creates the default service account of namespaces. */
  readonly createsDefaultAccounts: boolean;
  readonly authorization: Authorizer;
  /** The loopback client. */
  readonly client: () => ApiClient;
  readonly kinds: Kinds;
  readonly decode: DecodeTyped;
  /** The served resources, including custom resources. */
  readonly served: () => Catalog;
  readonly registrations: AdmissionRegistrations;
  readonly conversion: CustomConversion;
  readonly featureGates: FeatureGates;
  readonly choice: AdmissionOptions;
  /** Calls webhooks; undefined: the host has no outbound connections. */
  readonly post: WebhookPost | undefined;
  readonly metrics: RegistrationMeter;
  readonly log: Log;
}

/** The selection and settings of admission plugins. */
export interface AdmissionOptions extends PluginSelection {
  /** Plugins that are off unless a flag enables them; hosts without flags need not load them. */
  readonly defaultOffPlugins: (context: OptionalPluginContext) => readonly AdmissionPlugin[];
  readonly podSecurity: PodSecuritySettings;
  readonly tolerationSeconds: TolerationSeconds;
  /** Checks what may be used only where a quota covers it. Default: nothing is limited. */
  readonly checkQuotaLimits?: QuotaLimitCheck | undefined;
  /** The credentials for mutating webhooks. Default: none. */
  readonly mutatingWebhookUsers?: WebhookUsers | undefined;
  /** The credentials for validating webhooks. Default: none. */
  readonly validatingWebhookUsers?: WebhookUsers | undefined;
  /** Calls webhooks; undefined: the host has no outbound connections. */
  readonly outbound: Outbound | undefined;
}

/** The dependencies of plugins that are off by default. */
export interface OptionalPluginContext extends AdmissionContext {
  /** Objects of a resource, by its upstream group, version and name. */
  readonly source: (groupVersion: string, resource: string) => ObjectSource;
}

/** The enabled plugins, in the real server's order (upstream kubeapiserver/options AllOrderedPlugins). */
export function createAdmissionPlugins(parts: AdmissionContext): readonly AdmissionPlugin[] {
  const { store, catalog, product, random, clock, authorization, registrations, choice, post } = parts;
  const source = (groupVersion: string, resource: string): ObjectSource =>
    createObjectSource({ store, catalog, product }, groupVersion, resource);
  const rights = createSignerAuthorizer(authorization, product);
  const namespaces = source('v1', 'namespaces');
  const accounts = source('v1', 'serviceaccounts');
  const policyContext = createPolicyEnvironment(parts, (name) => namespaces.find('', name));
  const { validatingWebhooks: validating, mutatingWebhooks: mutating } = registrations;
  const decodeReview = (review: JsonObject, apiVersion: string): JsonObject =>
    parts.decode(catalog.type(`admission/${parseGroupVersion(apiVersion).version}.AdmissionReview`), review);
  const webhooks = { validating, mutating, policyContext, random, product, decodeReview };
  const postAs = (users: WebhookUsers | undefined) => post && { ...webhooks, post: createAdmissionPost(post, users) };
  const [validatingOptions, mutatingOptions] = [postAs(choice.validatingWebhookUsers), postAs(choice.mutatingWebhookUsers)];
  const plugins = [
    namespaceLifecycle((name) => namespaces.find('', name), product),
    limitRanger(source('v1', 'limitranges'), product),
    serviceAccount(parts.createsDefaultAccounts ? retryDefaultAccount(accounts, parts) : accounts, random, product),
    taintNodesByCondition(product),
    podSecurity((name) => namespaces.find('', name), source('v1', 'pods'), choice.podSecurity, product),
    priority(source('scheduling.k8s.io/v1', 'priorityclasses')),
    defaultTolerationSeconds(product, choice.tolerationSeconds),
    defaultStorageClass(source('storage.k8s.io/v1', 'storageclasses'), product),
    storageObjectInUseProtection(product),
    claimResize(source('storage.k8s.io/v1', 'storageclasses'), product),
    runtimeClass(source('node.k8s.io/v1', 'runtimeclasses')),
    certificateApproval(rights),
    certificateSigning(rights),
    clusterTrustBundleAttest(rights),
    certificateSubjectRestriction(product),
    defaultIngressClass(source('networking.k8s.io/v1', 'ingressclasses'), product),
    ...(registrations.mutatingPolicies ? [mutatingPolicies(registrations.mutatingPolicies, policyContext, product)] : []),
    ...(mutatingOptions ? [mutatingWebhooks(mutatingOptions)] : []),
    ...(validatingOptions ? [validatingWebhooks(validatingOptions)] : []),
    validatingPolicies(registrations.validatingPolicies, policyContext, product),
    resourceQuota(createQuotaAccess(source('v1', 'resourcequotas'), parts), {
      product,
      nowMs: () => clock.nowMs(),
      checkLimits: choice.checkQuotaLimits,
    }),
    ...choice.defaultOffPlugins({ ...parts, source }),
  ];
  return selectPlugins(plugins, choice);
}

/** Authorizes actions on signers, a virtual resource. */
function createSignerAuthorizer(authorization: Authorizer, product: Product): SignerAuthorizer {
  const group = product.rename('certificates.k8s.io');
  return async (user, verb, name) => {
    const { verdict } = await authorization.authorize(resourceAttributes(user, { verb, group, resource: 'signers', name }));
    return verdict === 'allow';
  };
}

const accountAttempts = 10;
/** Wait between two attempts: 100 ms, plus up to 100 ms of jitter. */
const accountWaitMs = 100;

/**
 * The default service account of a new namespace may not exist yet: it is looked up again for one to two seconds, as the real plugin
 * does (upstream plugin/serviceaccount getServiceAccount).
 */
function retryDefaultAccount(accounts: ObjectSource, { clock, random }: Pick<AdmissionContext, 'clock' | 'random'>): ObjectSource {
  return {
    list: (namespace) => accounts.list(namespace),
    async find(namespace, name) {
      let found = await accounts.find(namespace, name);
      if (found || name !== 'default') return found;
      const waitMs = accountWaitMs + random.integer(accountWaitMs);
      for (let attempt = 1; !found && attempt < accountAttempts; attempt++) {
        await clock.sleep(waitMs);
        found = await accounts.find(namespace, name);
      }
      return found;
    },
  };
}
