import { readWebhookClient } from '../../admission/index.ts';
import { WebhookError } from '../../authz/index.ts';
import { type Clock, createPace, type Random } from '../../env/index.ts';
import { type ApiObject, type JsonObject, type Product, StatusError } from '../../meta/index.ts';
import {
  ConversionError,
  ConvertingKeySpace,
  type ConvertObjects,
  type CustomObjectCodec,
  createConversionReview,
  describeKind,
  ObjectStore,
  readConvertedObjects,
  selectReviewVersion,
} from '../../registry/index.ts';
import { formatGroupVersion, type Resource, type WebhookConversion } from '../../schema/index.ts';
import type { WebhookPost } from '../access/webhook-post.ts';

export interface CustomConversionOptions {
  readonly store: ObjectStore;
  readonly codecOf: (resource: Resource) => CustomObjectCodec;
  /** Undefined: the host has no outbound connections. */
  readonly post: WebhookPost | undefined;
  readonly product: Product;
  readonly clock: Clock;
  readonly random: Random;
}

/** Converts custom resources with `conversion.strategy: Webhook`. */
export interface CustomConversion {
  /** The store of a resource, which converts what it reads and writes; the one of the cluster for others. */
  storeOf(resource: Resource): ObjectStore;
  /** Converts an object in any version. @throws StatusError 500 */
  inVersion(object: ApiObject, resource: Resource): Promise<ApiObject>;
  /** The object in another version as the webhook returns it, for field managers. @throws StatusError 500 */
  unprunedInVersion(object: ApiObject, resource: Resource, apiVersion: string): Promise<ApiObject>;
}

/** A custom resource with a webhook. */
interface ConvertedResource {
  readonly store: ObjectStore;
  readonly keySpace: ConvertingKeySpace;
  readonly convert: ConvertObjects;
}

/** Timeout of a conversion: the default of clients of webhooks. */
const timeoutMs = 30_000;
/** Objects in one review; a list may have any number. */
const maxObjectsPerReview = 500;

export function createCustomConversion(options: CustomConversionOptions): CustomConversion {
  const { store, clock, codecOf } = options;
  const known = new WeakMap<Resource, ConvertedResource>();
  const of = (resource: Resource, conversion: WebhookConversion): ConvertedResource => {
    const found = known.get(resource);
    if (found) return found;
    const convert = createConverter(conversion, options);
    const keySpace = new ConvertingKeySpace({
      inner: store.keySpace,
      apiVersion: formatGroupVersion(resource),
      kind: resource.kind,
      storageVersion: resource.storageVersion,
      objectOf: (entry) => store.storedObjectOf(entry).object,
      codec: codecOf(resource),
      convert,
      pace: createPace(clock),
    });
    const made = { store: new ObjectStore(keySpace, { nameCorrupt: store.reportsCorruptKeys }), keySpace, convert };
    known.set(resource, made);
    return made;
  };
  return {
    storeOf: (resource) => (resource.custom?.conversion ? of(resource, resource.custom.conversion).store : store),
    inVersion: async (object, resource) =>
      resource.custom?.conversion ? of(resource, resource.custom.conversion).keySpace.inVersion(object) : object,
    async unprunedInVersion(object, resource, apiVersion) {
      if (!resource.custom?.conversion) return object;
      const [converted = object] = await of(resource, resource.custom.conversion).convert([object], apiVersion);
      return converted as ApiObject;
    },
  };
}

function createConverter({ clientConfig, reviewVersions }: WebhookConversion, options: CustomConversionOptions): ConvertObjects {
  const client = readWebhookClient(clientConfig);
  const convert = async (objects: readonly JsonObject[], apiVersion: string): Promise<readonly JsonObject[]> => {
    const conversion = { objects, apiVersion, uid: options.random.uuid(), reviewVersion: selectReviewVersion(reviewVersions) };
    const review = await post(options, client, createConversionReview(conversion, options.product), objects);
    return readConvertedObjects(review, conversion, options.product);
  };
  return async (objects, apiVersion) => {
    const converted: JsonObject[] = [];
    try {
      for (let from = 0; from < objects.length; from += maxObjectsPerReview)
        converted.push(...(await convert(objects.slice(from, from + maxObjectsPerReview), apiVersion)));
      return converted;
    } catch (error) {
      if (error instanceof ConversionError) throw new StatusError(500, '', error.message, undefined, error);
      throw error;
    }
  };
}

async function post(
  { post: send }: CustomConversionOptions,
  client: ReturnType<typeof readWebhookClient>,
  review: JsonObject,
  [first = {}]: readonly JsonObject[],
): Promise<JsonObject> {
  const failed = (text: string, cause?: unknown): ConversionError =>
    new ConversionError(`conversion webhook for ${describeKind(first)} failed: ${text}`, { cause });
  if (!send) throw failed('this host has no outbound connections');
  try {
    return await send(client, review, timeoutMs);
  } catch (error) {
    if (error instanceof WebhookError) throw failed(error.message, error);
    throw error;
  }
}
