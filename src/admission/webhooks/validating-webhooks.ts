import type { AdmissionPlugin } from '../admission.ts';
import { createMatchAttributes } from '../policies/policy-context.ts';
import type { VersionedAttributes } from '../policies/request-variables.ts';
import { toStatusError } from './review.ts';
import type { Webhook } from './webhook.ts';
import { callWebhook, ignoreFailure, matchWebhook, type WebhookOptions, webhookSource } from './webhook-call.ts';

/** A matched webhook, with the write to send. */
interface Invocation {
  readonly webhook: Webhook;
  readonly attributes: VersionedAttributes;
}

/** Calls the matching webhooks in parallel; any may reject. Cf. upstream plugin/webhook/validating. */
export function validatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  const group = options.product.rename('admissionregistration.k8s.io');
  const webhooks = webhookSource(options.validating);
  return {
    name: 'ValidatingAdmissionWebhook',
    // Webhooks cannot block changes to their own configurations.
    handles: (write) => write.group !== group,
    async validate(request, object, old) {
      if (webhooks().length === 0) return;
      const write = createMatchAttributes(request, object, old, options.policyContext);
      const invocations: Invocation[] = [];
      for (const webhook of webhooks()) {
        const attributes = await matchWebhook(webhook, write, options.policyContext);
        if (attributes) invocations.push({ webhook, attributes });
      }
      const settled = await Promise.allSettled(invocations.map((invocation, index) => invokeWebhook(invocation, index, options)));
      for (const one of settled) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** @throws StatusError for a rejection, or a failed call that is not ignored */
async function invokeWebhook({ webhook, attributes }: Invocation, index: number, options: WebhookOptions): Promise<void> {
  try {
    const response = await callWebhook(webhook, 'validating', attributes, options);
    if (!response.allowed) throw toStatusError(webhook.name, response.status);
  } catch (error) {
    const key = options.product.rename('failed-open.validating.webhook.admission.k8s.io/round_0_index_');
    ignoreFailure(error, webhook, attributes.request, `${key}${index}`);
  }
}
