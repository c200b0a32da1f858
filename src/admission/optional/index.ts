import type { FeatureGates } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { type EventLimit, eventRateLimit } from './event-rate-limit.ts';
import { type ImagePolicyOptions, type ImagePolicySettings, imagePolicyWebhook } from './image-policy-webhook.ts';
import { type NamespaceCreator, namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { type NodeRestrictionOptions, nodeRestriction } from './node-restriction.ts';
import { type OwnerReferenceOptions, ownerReferencesPermissionEnforcement } from './owner-references.ts';
import { type NodeSelectors, podNodeSelector } from './pod-node-selector.ts';
import { type ClusterTolerations, podTolerationRestriction } from './pod-toleration-restriction.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { denyExternalIps, extendedResourceToleration, hostAntiAffinity } from './pods-and-services.ts';

/** Access to the cluster; supplied by `cluster`. */
export interface OptionalPluginOptions extends NodeRestrictionOptions, OwnerReferenceOptions, ImagePolicyOptions {
  readonly featureGates: FeatureGates;
  readonly createNamespace: NamespaceCreator;
}

/** The settings of optional plugins. */
export interface OptionalPluginSettings {
  readonly nodeSelectors: NodeSelectors;
  readonly tolerations: ClusterTolerations;
  readonly eventLimits: readonly EventLimit[];
  /** The plugin does not work without them. */
  readonly imagePolicy: ImagePolicySettings | undefined;
}

export const defaultOptionalSettings: OptionalPluginSettings = {
  nodeSelectors: {},
  tolerations: { defaults: [], whitelist: [] },
  eventLimits: [],
  imagePolicy: undefined,
};

/** Plugins that are off unless a flag enables them or their feature. The page does not need them, so it does not load them. */
export function optionalPlugins(
  tools: OptionalPluginOptions,
  settings: OptionalPluginSettings = defaultOptionalSettings,
): readonly AdmissionPlugin[] {
  const { product, source, featureGates } = tools;
  const namespaces = source('v1', 'namespaces');
  return [
    { name: 'AlwaysAdmit', handles: () => false },
    namespaceAutoProvision(namespaces, tools.createNamespace),
    namespaceExists(namespaces),
    hostAntiAffinity(product),
    nodeRestriction(tools),
    alwaysPullImages(),
    ...(settings.imagePolicy ? [imagePolicyWebhook(settings.imagePolicy, tools)] : []),
    podNodeSelector(namespaces, settings.nodeSelectors, product),
    podTolerationRestriction(namespaces, settings.tolerations, product),
    eventRateLimit(settings.eventLimits, tools.clock),
    extendedResourceToleration(product),
    ownerReferencesPermissionEnforcement(tools),
    denyExternalIps(),
    ...(featureGates.enabled('PodTopologyLabelsAdmission') ? [podTopologyLabels(source('v1', 'nodes'), product)] : []),
    alwaysDeny,
  ];
}

const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  mutate: async (request, object) => {
    throw createForbiddenError(request, object, denyMessage);
  },
  validate: async (request, object) => {
    throw createForbiddenError(request, object, denyMessage);
  },
};

const denyMessage = 'admission control is denying all modifications';
