import type { AdmissionPlugin } from '../admission.ts';
import { createForbiddenError } from '../forbidden-error.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { namespaceExists } from './namespace-exists.ts';
import { type NodeRestrictionOptions, nodeRestriction } from './node-restriction.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { denyExternalIps, extendedResourceToleration, hostAntiAffinity } from './pods-and-services.ts';

export type OptionalPluginOptions = NodeRestrictionOptions;

/** Default-off plugins. The page does not need them, so it does not load them. */
export function optionalPlugins(tools: OptionalPluginOptions): readonly AdmissionPlugin[] {
  const { product, source } = tools;
  const namespaces = source('v1', 'namespaces');
  return [
    { name: 'AlwaysAdmit', handles: () => false },
    namespaceExists(namespaces),
    hostAntiAffinity(product),
    nodeRestriction(tools),
    alwaysPullImages(),
    podNodeSelector(namespaces, product),
    extendedResourceToleration(product),
    denyExternalIps(),
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
