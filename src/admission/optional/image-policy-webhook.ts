import type { Clock, Log } from '../../env/index.ts';
import {
  type ApiObject,
  isJsonObject,
  isQualifiedName,
  type JsonObject,
  LruCache,
  type Product,
  recordAt,
  stringifyJson,
  textAt,
} from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { createForbiddenError, isCreateOrUpdate } from '../forbidden-error.ts';
import { podSpecOf } from '../object-accessors.ts';
import { WebhookFailure } from '../webhooks/review.ts';

export interface ImagePolicySettings {
  /** Posts an ImageReview, and returns that of the webhook. @throws WebhookFailure */
  readonly post: (review: JsonObject) => Promise<JsonObject>;
  /** How long an allowed review is cached. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Whether pods are allowed when the webhook fails. */
  readonly defaultAllow: boolean;
}

export interface ImagePolicyOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly product: Product;
  readonly log: Log;
}

interface CachedStatus {
  readonly status: JsonObject;
  readonly untilMs: number;
}

/** Maximum number of cached reviews. */
const maxCached = 1024;

/** Calls a webhook that allows or denies the images of pods. Cf. upstream plugin/imagepolicy. */
export function imagePolicyWebhook(settings: ImagePolicySettings, { clock, product, log }: ImagePolicyOptions): AdmissionPlugin {
  const domain = product.rename('image-policy.k8s.io');
  const apiVersion = `${product.rename('imagepolicy.k8s.io')}/v1alpha1`;
  const auditPrefix = `imagepolicywebhook.${domain}/`;
  const cached = new LruCache<string, CachedStatus>(maxCached);
  const review = async (spec: JsonObject): Promise<JsonObject> => {
    const key = stringifyJson(spec);
    const known = cached.get(key);
    if (known && known.untilMs > clock.monotonicMs()) return known.status;
    const answer = await settings.post({ kind: 'ImageReview', apiVersion, metadata: {}, spec, status: { allowed: false } });
    const status = recordAt(answer, 'status');
    const ttlMs = status['allowed'] === true ? settings.allowTtlMs : settings.denyTtlMs;
    cached.set(key, { status, untilMs: clock.monotonicMs() + ttlMs });
    return status;
  };
  /** @throws StatusError unless failures are allowed */
  const admitFailure = (failure: WebhookFailure, request: AdmissionRequest, pod: ApiObject): void => {
    log.warn('image policy webhook failed', { error: failure, allowed: settings.defaultAllow });
    if (!settings.defaultAllow) throw createForbiddenError(request, pod, failure.message);
    request.annotate(() => ({ [`${auditPrefix}failed-open`]: 'true' }));
  };
  return {
    name: 'ImagePolicyWebhook',
    handles: isReviewed,
    async validate(request, pod) {
      let status: JsonObject;
      try {
        status = await review(createSpec(request, pod, domain));
      } catch (error) {
        if (!(error instanceof WebhookFailure)) throw error;
        admitFailure(error, request, pod);
        return;
      }
      request.annotate(() => auditAnnotationsOf(status, auditPrefix));
      if (status['allowed'] === true) return;
      const reason = textAt(status, 'reason');
      const why =
        reason === ''
          ? 'one or more images rejected by webhook backend'
          : `image policy webhook backend denied one or more images: ${reason}`;
      throw createForbiddenError(request, pod, why);
    },
  };
}

function isReviewed(write: AdmissionAttributes): boolean {
  const { group, resource, subresource } = write;
  return isCreateOrUpdate(write) && group === '' && resource === 'pods' && (subresource === '' || subresource === 'ephemeralcontainers');
}

/** The spec of the review: images, the annotations for the webhook, and the namespace. */
function createSpec({ namespace, subresource }: AdmissionRequest, pod: ApiObject, domain: string): JsonObject {
  const { containers, initContainers = [], ephemeralContainers = [] } = podSpecOf(pod);
  const reviewed = subresource === '' ? [...(containers ?? []), ...initContainers] : ephemeralContainers;
  const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(([name]) => name.includes(`.${domain}/`));
  return {
    ...(reviewed.length > 0 ? { containers: reviewed.map(({ image }) => (image ? { image } : {})) } : {}),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations.sort(([a], [b]) => (a < b ? -1 : 1))) } : {}),
    ...(namespace === '' ? {} : { namespace }),
  };
}

/** Annotations with an invalid key are dropped. */
function auditAnnotationsOf({ auditAnnotations }: JsonObject, prefix: string): Readonly<Record<string, string>> {
  const entries = Object.entries(isJsonObject(auditAnnotations) ? auditAnnotations : {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (isQualifiedName(prefix + name).length === 0 ? [[prefix + name, String(value)]] : [])),
  );
}
