import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';
import { validatingWebhooks, type WebhookTools } from '../webhooks/validating-webhooks.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { namespaceExists } from './namespace-exists.ts';
import { type NodeRestrictionTools, nodeRestriction } from './node-restriction.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { denyExternalIps, extendedResourceToleration, hostAntiAffinity } from './pods-and-services.ts';

export interface OptionalPluginTools extends NodeRestrictionTools {
  /** Undefined where outgoing calls are impossible. */
  readonly webhooks: WebhookTools | undefined;
}

/** Default-off plugins and plugins with outgoing calls. The page needs neither, so it does not load them. */
export function optionalPlugins(tools: OptionalPluginTools): readonly AdmissionPlugin[] {
  const { product, source, webhooks } = tools;
  const namespaces = source('v1', 'namespaces');
  return [
    { name: 'AlwaysAdmit', concerns: () => false },
    namespaceExists(namespaces),
    hostAntiAffinity(product),
    nodeRestriction(tools),
    alwaysPullImages(),
    podNodeSelector(namespaces, product),
    extendedResourceToleration(product),
    denyExternalIps(),
    ...(webhooks ? [validatingWebhooks(webhooks)] : []),
    alwaysDeny,
  ];
}

const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  concerns: () => true,
  mutate: async (request, object) => {
    throw refusal(request, object, deniesAll);
  },
  validate: async (request, object) => {
    throw refusal(request, object, deniesAll);
  },
};

const deniesAll = 'admission control is denying all modifications';
