import {
  type ApiObject,
  internalError,
  type JsonObject,
  JsonSyntaxError,
  parseJsonBytes,
  sameJson,
  stringifyJson,
} from '../../meta/index.ts';
import { applyJsonPatch, decodeLooseJsonPatch, type JsonPatchOperation, PatchError } from '../../patch/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { createMatchAttributes } from '../policies/policy-context.ts';
import type { VersionedAttributes } from '../policies/request-variables.ts';
import type { Reinvocation, ReinvokedItems } from '../reinvocation.ts';
import { type ReviewResponse, toStatusError, WebhookFailure } from './review.ts';
import type { Webhook } from './webhook.ts';
import { callWebhook, ignoreFailure, matchWebhook, type WebhookOptions, webhookSource } from './webhook-call.ts';

const pluginName = 'MutatingAdmissionWebhook';

/** Calls the matching webhooks one after the other; each gets the object as the one before has changed it. */
export function mutatingWebhooks(options: WebhookOptions): AdmissionPlugin {
  const group = options.product.rename('admissionregistration.k8s.io');
  const webhooks = webhookSource(options.mutating);
  return {
    name: pluginName,
    // Webhooks cannot block changes to their own configurations.
    handles: (write) => write.group !== group,
    async mutate(request, object, old) {
      if (webhooks().length === 0) return object;
      return new MutatingDispatch(options, request, old).run(webhooks(), object);
    },
  };
}

/** The webhook calls of one round of a request. Cf. k8s.io/apiserver admission/plugin/webhook/mutating/dispatcher.go. */
class MutatingDispatch {
  readonly #options: WebhookOptions;
  readonly #request: AdmissionRequest;
  readonly #old: ApiObject | undefined;
  readonly #reinvocation: Reinvocation;
  readonly #items: ReinvokedItems;

  constructor(options: WebhookOptions, request: AdmissionRequest, old: ApiObject | undefined) {
    this.#options = options;
    this.#request = request;
    this.#old = old;
    this.#reinvocation = request.reinvocation;
    this.#items = request.reinvocation.itemsOf(pluginName);
  }

  async run(webhooks: readonly Webhook[], object: ApiObject): Promise<ApiObject> {
    const { policyContext } = this.#options;
    const items = this.#items;
    // Another plugin has changed the object since the webhooks ran.
    if (this.#reinvocation.isSecondRound && items.output !== undefined && !sameJson(items.output, object)) items.requireInvoked();
    let next = object;
    for (const [index, webhook] of webhooks.entries()) {
      const write = createMatchAttributes(this.#request, next, this.#old, policyContext);
      const attributes = await matchWebhook(webhook, write, policyContext);
      if (!attributes) continue;
      if (this.#reinvocation.isSecondRound && !items.isDue(webhook.id)) continue;
      const made = await this.#invoke(webhook, index, attributes);
      if (made) {
        if (made.isChanged) {
          items.requireInvoked();
          this.#reinvocation.require();
        }
        next = await policyContext.fromVersion(made.object, attributes.matched, next);
      }
      if (webhook.isReinvokedIfNeeded) items.addInvoked(webhook.id);
    }
    items.output = next;
    return next;
  }

  /** The object after the patch of a webhook; undefined without a patch. @throws StatusError */
  async #invoke(
    webhook: Webhook,
    index: number,
    attributes: VersionedAttributes,
  ): Promise<{ readonly object: ApiObject; readonly isChanged: boolean } | undefined> {
    try {
      const response = await callWebhook(webhook, 'mutating', attributes, this.#options);
      if (!response.allowed) throw toStatusError(webhook.name, response.status);
      const made = this.#patched(webhook, index, response, attributes);
      this.#annotateMutation(webhook, index, made?.isChanged ?? false);
      return made;
    } catch (error) {
      this.#annotateMutation(webhook, index, false);
      return ignoreFailure(
        error,
        webhook,
        this.#request,
        `${this.#annotationPrefix('failed-open.mutation.webhook.admission.k8s.io/')}${index}`,
      );
    }
  }

  #patched(
    { name, configuration }: Webhook,
    index: number,
    { patch, patchType }: ReviewResponse,
    { object, matched }: VersionedAttributes,
  ): { readonly object: ApiObject; readonly isChanged: boolean } | undefined {
    if (patch === undefined) return undefined;
    const { operations, shown } = readPatch(patch);
    if (operations.length === 0) return undefined;
    if (!object)
      throw internalError(
        `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
      );
    if (patchType !== 'JSONPatch') throw new WebhookFailure(`unsupported patch type ${JSON.stringify(patchType)}`);
    const decoded = this.#options.policyContext.decode(applied(object, operations), matched);
    const key = `${this.#annotationPrefix('patch.webhook.admission.k8s.io/')}${index}`;
    this.#request.annotate(() => ({ [key]: stringifyJson({ configuration, webhook: name, patch: shown(), patchType }) }), 'Request');
    return { object: decoded, isChanged: !sameJson(decoded, object) };
  }

  #annotateMutation({ name, configuration }: Webhook, index: number, mutated: boolean): void {
    const key = `${this.#annotationPrefix('mutation.webhook.admission.k8s.io/')}${index}`;
    this.#request.annotate(() => ({ [key]: stringifyJson({ configuration, webhook: name, mutated }) }));
  }

  #annotationPrefix(prefix: string): string {
    return `${this.#options.product.rename(prefix)}round_${this.#reinvocation.isSecondRound ? 1 : 0}_index_`;
  }
}

interface ReadPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** The patch as Go encodes it: operations are maps there, whose keys are sorted. */
  readonly shown: () => readonly JsonObject[];
}

/** Parses a patch. @throws WebhookFailure */
function readPatch(patch: Uint8Array): ReadPatch {
  try {
    const { value } = parseJsonBytes(patch);
    const sorted = (operation: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1)));
    return { operations: decodeLooseJsonPatch(value), shown: () => (value as readonly JsonObject[]).map(sorted) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof PatchError)) throw error;
    throw new WebhookFailure(`received undecodable patch in webhook response: ${error.message}`, { cause: error });
  }
}

/** @throws StatusError 500 for a patch that cannot be applied */
function applied(object: ApiObject, operations: readonly JsonPatchOperation[]): JsonObject {
  try {
    return applyJsonPatch(object, operations) as JsonObject;
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message, error);
    throw error;
  }
}
