import { internalError, StatusError } from '../../meta/index.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { createMatchAttributes } from '../policies/policy-context.ts';
import type { VersionedAttributes } from '../policies/request-variables.ts';
import { toStatusError, WebhookFailure } from './review.ts';
import type { Webhook } from './webhook.ts';
import { callWebhook, matchWebhook, type WebhookOptions, webhookSource } from './webhook-call.ts';

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
      const rejections = await Promise.all(invocations.map((invocation, index) => invokeWebhook(invocation, index, options)));
      const first = rejections.find((one) => one !== undefined);
      if (first) throw first;
    },
  };
}

async function invokeWebhook(
  { webhook, attributes }: Invocation,
  index: number,
  options: WebhookOptions,
): Promise<StatusError | undefined> {
  try {
    const response = await callWebhook(webhook, 'validating', attributes, options);
    return response.allowed ? undefined : toStatusError(webhook.name, response.status);
  } catch (error) {
    if (error instanceof StatusError) return error;
    if (!(error instanceof WebhookFailure)) throw error;
    if (!webhook.ignoresFailures) return internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`, error);
    const key = options.product.rename('failed-open.validating.webhook.admission.k8s.io/round_0_index_');
    attributes.request.annotate(() => ({ [`${key}${index}`]: webhook.name }));
    return undefined;
  }
}
