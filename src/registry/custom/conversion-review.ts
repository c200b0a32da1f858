import {
  aggregateErrors,
  fieldErrorTexts,
  goType,
  isJsonObject,
  type Json,
  type JsonObject,
  type Product,
  recordAt,
  requireReviewType,
  textAt,
  UnreadableDocument,
} from '../../meta/index.ts';
import { parseGroupVersion, validateAnnotations, validateLabels } from '../../schema/index.ts';

/** A conversion that failed. The message is upstream's. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

export interface Conversion {
  /** In any versions of one kind. */
  readonly objects: readonly JsonObject[];
  readonly apiVersion: string;
  readonly uid: string;
  /** The first supported version in `conversionReviewVersions`. */
  readonly reviewVersion: 'v1' | 'v1beta1';
}

/** @throws ConversionError when no version is supported */
export function selectReviewVersion(versions: readonly string[]): Conversion['reviewVersion'] {
  const found = versions.find((version): version is Conversion['reviewVersion'] => version === 'v1' || version === 'v1beta1');
  if (!found) throw new ConversionError('no supported conversion review versions');
  return found;
}

/** The ConversionReview that is sent to the webhook. */
export function createConversionReview({ objects, apiVersion, uid, reviewVersion }: Conversion, product: Product): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: product.rename(`apiextensions.k8s.io/${reviewVersion}`),
    request: { uid, desiredAPIVersion: apiVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/** The source of the objects in error messages: `example.com/v1, Kind=Widget`. */
export function describeKind(object: JsonObject): string {
  return `${textAt(object, 'apiVersion')}, Kind=${textAt(object, 'kind')}`;
}

/**
 * The converted objects of a response, with the metadata of the originals but for labels and annotations. Cf. upstream
 * pkg/apiserver/conversion/webhook_converter.go.
 * @throws ConversionError
 */
export function readConvertedObjects(review: JsonObject, conversion: Conversion, product: Product): readonly JsonObject[] {
  const [first = {}] = conversion.objects;
  const subject = `conversion webhook for ${describeKind(first)}`;
  const converted = describing(`${subject} failed`, () => responseObjects(review, conversion, product));
  if (converted.length !== conversion.objects.length)
    throw new ConversionError(`${subject} returned ${converted.length} objects, expected ${conversion.objects.length}`);
  return conversion.objects.map((original, index) => {
    const object = converted[index];
    const what = `${subject} returned invalid object at index ${index}`;
    if (!isJsonObject(object)) throw new ConversionError(`${what}: Object 'Kind' is missing in '${JSON.stringify(object)}'`);
    describing(what, () => requireIdentity(original, object, conversion.apiVersion));
    describing(`${subject} returned invalid object`, () => requireSameMetadata(original, object));
    return describing(`${subject} returned invalid metadata`, () => withOriginalMetadata(original, object));
  });
}

function describing<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ConversionError) throw new ConversionError(`${what}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Responses of v1beta1 are not checked for kind and uid. */
function responseObjects(review: JsonObject, { uid, reviewVersion }: Conversion, product: Product): readonly Json[] {
  const expected = product.rename(`apiextensions.k8s.io/${reviewVersion}`);
  checkReviewType(review, expected);
  if (reviewVersion === 'v1' && describeKind(review) !== `${expected}, Kind=ConversionReview`)
    throw new ConversionError(`expected webhook response of ${expected}, Kind=ConversionReview, got ${describeKind(review)}`);
  const { response } = review;
  if (!isJsonObject(response)) throw new ConversionError('no response provided');
  if (reviewVersion === 'v1' && textAt(response, 'uid') !== uid)
    throw new ConversionError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(textAt(response, 'uid'))}`);
  const result = recordAt(response, 'result');
  const status = textAt(result, 'status');
  if (status !== 'Success') throw new ConversionError(textAt(result, 'message') || `response.result.status was '${status}', not 'Success'`);
  const { convertedObjects } = response;
  return Array.isArray(convertedObjects) ? (convertedObjects as readonly Json[]) : [];
}

function checkReviewType(review: JsonObject, apiVersion: string): void {
  try {
    requireReviewType(review, { apiVersion, kind: 'ConversionReview' });
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new ConversionError(error.message, { cause: error });
  }
}

function requireIdentity(original: JsonObject, converted: JsonObject, apiVersion: string): void {
  const [expected, received] = [parseGroupVersion(apiVersion), parseGroupVersion(textAt(converted, 'apiVersion'))];
  if (expected.group !== received.group || expected.version !== received.version)
    throw new ConversionError(`invalid groupVersion (expected ${apiVersion}, received ${textAt(converted, 'apiVersion')})`);
  if (textAt(original, 'kind') !== textAt(converted, 'kind'))
    throw new ConversionError(`invalid kind (expected ${textAt(original, 'kind')}, received ${textAt(converted, 'kind')})`);
}

function requireSameMetadata(original: JsonObject, converted: JsonObject): void {
  const [before, after] = [recordAt(original, 'metadata'), recordAt(converted, 'metadata')];
  for (const [member, shown] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [expected, received] = [textAt(before, member), textAt(after, member)];
    if (expected !== received) throw new ConversionError(`must have the same ${shown}: ${expected} != ${received}`);
  }
}

function withOriginalMetadata(original: JsonObject, converted: JsonObject): JsonObject {
  const { metadata } = converted;
  if (metadata === undefined) throw new ConversionError('missing metadata in converted object');
  if (!isJsonObject(metadata)) throw new ConversionError(`invalid metadata of type ${goType(metadata)} in converted object`);
  const { labels: _labels, annotations: _annotations, ...restored } = recordAt(original, 'metadata');
  const texts = { labels: convertedTexts('labels', metadata), annotations: convertedTexts('annotations', metadata) };
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  return { ...converted, metadata: { ...restored, ...given } as JsonObject };
}

function convertedTexts(member: 'labels' | 'annotations', metadata: JsonObject): JsonObject | undefined {
  const value = metadata[member];
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new ConversionError(`invalid metadata.${member} of type ${goType(value)} in converted object`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string')
      throw new ConversionError(`metadata.${member}[${key}] must be a string, but is ${goType(text)} in converted object`);
  }
  const texts = value as Readonly<Record<string, string>>;
  const errors = member === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation');
  if (errors.length > 0) throw new ConversionError(aggregateErrors(fieldErrorTexts(errors)));
  return value;
}
