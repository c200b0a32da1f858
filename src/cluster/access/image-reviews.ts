import { type ImagePolicySettings, WebhookFailure } from '../../admission/index.ts';
import { postDocument, retryWithBackoff, type WebhookConnection, WebhookError } from '../../authz/index.ts';
import type { Env, Outbound } from '../../env/index.ts';
import { type JsonObject, type Product, stringifyJson } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import {
  anything,
  bool,
  ConfigurationFileError,
  decodeTyped,
  readTypedFile,
  struct,
  text,
  unregisteredKindError,
} from '../configuration/configuration-file.ts';

export interface ImageReviewOptions {
  readonly outbound: Outbound;
  readonly connection: WebhookConnection;
  /** The wait before the second attempt. */
  readonly retryBackoffMs: number;
  readonly env: Pick<Env, 'clock' | 'random'>;
  readonly product: Product;
}

const timeoutMs = 30_000;

const texts: Schema = { form: 'map', values: text, topology: 'granular' };
const status = struct('ImageReviewStatus', { allowed: bool, reason: text, auditAnnotations: texts });
const shape = struct('ImageReview', { kind: text, apiVersion: text, metadata: anything, spec: anything, status });

/** Posts image reviews to a webhook, again after transient failures. */
export function createImageReviewer(options: ImageReviewOptions): ImagePolicySettings['post'] {
  const { outbound, connection, retryBackoffMs, env, product } = options;
  const policy = { initialBackoffMs: retryBackoffMs, retriesAll: false };
  return async (review) => {
    const document = `${stringifyJson(review)}\n`;
    try {
      const answer = await retryWithBackoff(() => postDocument({ outbound, connection, timeoutMs }, document), env, policy);
      return readReview(answer, product);
    } catch (error) {
      if (!(error instanceof WebhookError || error instanceof ConfigurationFileError)) throw error;
      throw new WebhookFailure(error.message, { cause: error });
    }
  };
}

/** A review without kind and version has those of the request. @throws ConfigurationFileError */
function readReview(answer: string, product: Product): JsonObject {
  if (answer === '') throw new ConfigurationFileError('0-length response with status code: 200 and content type: application/json');
  const expected = `${product.rename('imagepolicy.k8s.io')}/v1alpha1`;
  const { document, apiVersion, kind } = readTypedFile(answer);
  if (apiVersion === 'v1' && kind === 'Status')
    throw new ConfigurationFileError('converting (v1.Status) to (v1alpha1.ImageReview): unknown conversion');
  const isExpected = ['', expected].includes(apiVersion) && ['', 'ImageReview'].includes(kind);
  if (!isExpected) throw unregisteredKindError(apiVersion || expected, kind || 'ImageReview');
  return decodeTyped(document, shape).value;
}
