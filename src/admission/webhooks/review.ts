import {
  base64ToBytes,
  isJsonObject,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  requireReviewType,
  StatusError,
  type StatusReason,
  textAt,
  textsAt,
  UnreadableDocument,
} from '../../meta/index.ts';
import { DecodeError } from '../../schema/index.ts';
import { createAdmissionRequest, type VersionedAttributes } from '../policies/request-variables.ts';
import type { Webhook } from './webhook.ts';

/** A webhook call failed or its response is invalid; the message has the reason. */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';
}

/** The AdmissionReview sent to a webhook. Cf. upstream plugin/webhook/request CreateAdmissionObjects. */
export function createReview(write: VersionedAttributes, uid: string, { reviewVersion }: Webhook, product: Product): JsonObject {
  return {
    kind: 'AdmissionReview',
    apiVersion: product.rename(`admission.k8s.io/${reviewVersion}`),
    request: { ...createAdmissionRequest(write, write.matched), uid, object: write.object ?? null, oldObject: write.oldObject ?? null },
  };
}

/** Only a mutating webhook may return a patch. */
export type WebhookType = 'mutating' | 'validating';

/** The response of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Of a mutating webhook; undefined: the object does not change. */
  readonly patch: Uint8Array | undefined;
  readonly patchType: string;
}

/** The request that a response belongs to. */
export interface SentReview {
  readonly uid: string;
  readonly webhook: Webhook;
  readonly type: WebhookType;
  readonly product: Product;
  readonly decode: DecodeReview;
}

/** Decodes the fields of an AdmissionReview. @throws DecodeError */
export type DecodeReview = (review: JsonObject, apiVersion: string) => JsonObject;

/** Parses the response of a webhook. Cf. upstream VerifyAdmissionResponse. @throws WebhookFailure */
export function verifyResponse(sent: JsonObject, { uid, webhook: { reviewVersion }, type, product, decode }: SentReview): ReviewResponse {
  const expected = product.rename(`admission.k8s.io/${reviewVersion}`);
  const review = decodeSent(sent, expected, decode);
  const { response } = review;
  const invalid = (why: string): WebhookFailure => new WebhookFailure(`received invalid webhook response: ${why}`);
  if (!isJsonObject(response)) throw invalid('webhook response was absent');
  const responseUid = textAt(response, 'uid');
  if (reviewVersion === 'v1') {
    if (responseUid !== uid) throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(responseUid)}`);
    const { apiVersion = '/', kind = '' } = review;
    if (apiVersion !== expected || kind !== 'AdmissionReview')
      throw invalid(`expected webhook response of ${expected}, Kind=AdmissionReview, got ${String(apiVersion)}, Kind=${String(kind)}`);
    const problem = patchProblem(response, type);
    if (problem !== undefined) throw invalid(problem);
  }
  const patch = type === 'mutating' ? textAt(response, 'patch') : '';
  return {
    allowed: response['allowed'] === true,
    status: recordAt(response, 'status'),
    warnings: textsAt(response, 'warnings'),
    auditAnnotations: recordAt(response, 'auditAnnotations') as Readonly<Record<string, string>>,
    patch: patch === '' ? undefined : base64ToBytes(patch),
    // The first version of reviews did not check the type.
    patchType: reviewVersion === 'v1' ? textAt(response, 'patchType') : 'JSONPatch',
  };
}

function decodeSent(sent: JsonObject, apiVersion: string, decode: DecodeReview): JsonObject {
  try {
    requireReviewType(sent, { apiVersion, kind: 'AdmissionReview' });
    return decode(sent, apiVersion);
  } catch (error) {
    if (!(error instanceof UnreadableDocument || error instanceof DecodeError)) throw error;
    throw new WebhookFailure(`failed to call webhook: ${error.message}`, { cause: error });
  }
}

/** A mutating webhook returns a patch and its type together, a validating one neither. */
function patchProblem(response: JsonObject, type: WebhookType): string | undefined {
  const hasPatch = textAt(response, 'patch') !== '';
  const { patchType } = response;
  if (type === 'validating') {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (hasPatch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

/** The rejection with the webhook's message; its code is at least 400. Cf. upstream webhook/errors ToStatusErr. */
export function toStatusError(name: string, status: JsonObject): StatusError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const [message, reason] = [textAt(status, 'message'), textAt(status, 'reason')];
  const code = Number(status['code'] ?? 0);
  const text = message === '' && reason === '' ? `${denied} without explanation` : `${denied}: ${message || reason}`;
  const details = isJsonObject(status['details']) ? detailsOf(status['details']) : undefined;
  return new StatusError(Math.max(code, 400), reason as StatusReason, text, details);
}

function detailsOf(details: JsonObject): NonNullable<StatusError['details']> {
  const causes = objectsAt(details, 'causes');
  return { ...details, ...(causes.length > 0 ? { causes } : {}) } as NonNullable<StatusError['details']>;
}
