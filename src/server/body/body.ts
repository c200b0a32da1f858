import { bodyMediaType, type ParsedYaml, parseYaml, parseYamlAsync } from '../../codec/index.ts';
import { runYielding } from '../../env/index.ts';
import {
  type ApiRequest,
  type DuplicateMember,
  type DuplicateObjectMode,
  type FeatureGates,
  type Json,
  type NumberLiterals,
  type Product,
  parseJsonBytes,
  parseJsonBytesAsync,
  StatusError,
  sortMembers,
  sortMembersInSteps,
} from '../../meta/index.ts';
import type { Catalog, StructSchema } from '../../schema/index.ts';
import type { RequestContext } from '../request-context.ts';

/** Maximum length of a request body, in bytes (part 8). */
export const maxBodyBytes: number = 3 * 1024 * 1024;

export const cborType = 'application/cbor';

/** The settings that decide which media types are supported. */
export interface MediaTypeSettings {
  readonly product: Product;
  readonly featureGates: FeatureGates;
}

/** Media types that every endpoint supports, including discovery and errors. */
export function commonTypes({ product }: Pick<MediaTypeSettings, 'product'>): readonly string[] {
  return ['application/json', 'application/yaml', product.names.protobufMediaType];
}

/** Media types of objects and Status. */
export function bodyTypes(speaker: MediaTypeSettings): readonly string[] {
  return [...commonTypes(speaker), ...(isCborEnabled(speaker) ? [cborType] : [])];
}

export function isCborEnabled({ featureGates }: Pick<MediaTypeSettings, 'featureGates'>): boolean {
  return featureGates.enabled('CBORServingAndStorage');
}

/** Additional media types of watches. */
export function streamTypes(speaker: MediaTypeSettings): readonly string[] {
  const framed = ['application/json', speaker.product.names.protobufMediaType].map((type) => `${type};stream=watch`);
  return [...framed, ...(isCborEnabled(speaker) ? [`${cborType}-seq`] : [])];
}

/** @throws StatusError 413 */
export function bodyBytes({ body, bodyIsTooLarge }: ApiRequest): Uint8Array {
  if (bodyIsTooLarge || (body && body.length > maxBodyBytes))
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
  return body ?? new Uint8Array();
}

/** Checks media type and length of the body; this precedes the validation of query parameters. @throws StatusError 413, 415 */
export function checkBody(request: ApiRequest, speaker: MediaTypeSettings): void {
  bodyTypeOf(request, speaker);
  bodyBytes(request);
}

/** @throws StatusError 415 */
export function bodyTypeOf(request: ApiRequest, speaker: MediaTypeSettings): string {
  const header = request.headers.get('content-type') ?? '';
  const offered = bodyTypes(speaker);
  const mediaType = header === '' ? 'application/json' : bodyMediaType(header);
  if (mediaType !== undefined && offered.includes(mediaType)) return mediaType;
  throw unsupportedMediaType(offered);
}

export function unsupportedMediaType(offered: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** A parsed body, with the findings of strict decoding. */
export interface ParsedBody {
  readonly value: Json;
  readonly form: 'json' | 'yaml' | 'protobuf' | 'cbor';
  /** Duplicate members: of JSON by path, of YAML as `line 4: key "c" already set in map`. */
  readonly duplicates?: readonly DuplicateMember[];
  readonly duplicateLines?: readonly string[];
  readonly literals?: NumberLiterals;
}

/** `parseBody` for large bodies: awaits `pause` between steps (see `RequestContext.pause`). @throws JsonSyntaxError, YamlSyntaxError */
export async function parseBodyYielding(
  bytes: Uint8Array,
  mediaType: string,
  repeated: DuplicateObjectMode,
  pause: RequestContext['pause'],
): Promise<ParsedBody> {
  if (mediaType === 'application/yaml') {
    const parsed = await parseYamlAsync(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pause);
    await pause();
    return yamlBody(parsed, await runYielding(sortMembersInSteps(parsed.value), pause));
  }
  const { value, duplicates, literals } = await parseJsonBytesAsync(bytes, repeated, pause);
  return { value, duplicates, form: 'json', literals };
}

/** @throws JsonSyntaxError, YamlSyntaxError */
export function parseBody(bytes: Uint8Array, mediaType: string, repeated: DuplicateObjectMode): ParsedBody {
  if (mediaType === 'application/yaml') {
    // The YAML parser handles a byte order mark itself.
    const parsed = parseYaml(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    return yamlBody(parsed, sortMembers(parsed.value));
  }
  const { value, duplicates, literals } = parseJsonBytes(bytes, repeated);
  return { value, duplicates, form: 'json', literals };
}

/** YAML is converted to JSON through a map, so members are sorted by name. */
function yamlBody({ duplicates }: ParsedYaml, sorted: unknown): ParsedBody {
  return { value: sorted as Json, duplicateLines: duplicates, form: 'yaml' };
}

/** Schema of a kind without a resource of its own (Scale, DeleteOptions). @throws Error when the catalog lacks it */
export function schemaOf(catalog: Catalog, groupVersion: string, kind: string): StructSchema {
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
  return schema;
}
