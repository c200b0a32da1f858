import { bodyMediaType, type ParsedYaml, parseYaml, parseYamlInTurns } from '../codec/index.ts';
import { finishInTurns } from '../env/index.ts';
import {
  type ApiRequest,
  type DuplicateMember,
  type FeatureGates,
  type Json,
  type NumberLiterals,
  type Product,
  parseJsonBytes,
  parseJsonBytesInTurns,
  type RepeatedObjects,
  StatusError,
  sortedMembers,
  sortedMembersInSteps,
} from '../meta/index.ts';
import type { Catalog, StructSchema } from '../schema/index.ts';
import type { Call } from './call.ts';

/** The most a request may carry (part 8), in bytes. */
export const maxBodyBytes: number = 3 * 1024 * 1024;

export const cborType = 'application/cbor';

/** What decides the media types that are spoken. */
export interface Speaker {
  readonly product: Product;
  readonly featureGates: FeatureGates;
}

/** Media types of every answer and body, discovery and refusals included. */
export function commonTypes({ product }: Pick<Speaker, 'product'>): readonly string[] {
  return ['application/json', 'application/yaml', product.names.protobufMediaType];
}

/** Media types of objects and of what is said about them. */
export function bodyTypes(speaker: Speaker): readonly string[] {
  return [...commonTypes(speaker), ...(speaksCbor(speaker) ? [cborType] : [])];
}

export function speaksCbor({ featureGates }: Pick<Speaker, 'featureGates'>): boolean {
  return featureGates.enabled('CBORServingAndStorage');
}

/** Media types that watches add to those of plain answers. */
export function streamTypes(speaker: Speaker): readonly string[] {
  const framed = ['application/json', speaker.product.names.protobufMediaType].map((type) => `${type};stream=watch`);
  return [...framed, ...(speaksCbor(speaker) ? [`${cborType}-seq`] : [])];
}

/** @throws StatusError 413 */
export function bodyBytes({ body, bodyIsTooLarge }: ApiRequest): Uint8Array {
  if (bodyIsTooLarge || (body && body.length > maxBodyBytes))
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
  return body ?? new Uint8Array();
}

/** Whether a body is one that can be read at all: this is told before the parameters are looked at. @throws StatusError 413, 415 */
export function checkBody(request: ApiRequest, speaker: Speaker): void {
  bodyTypeOf(request, speaker);
  bodyBytes(request);
}

/** @throws StatusError 415 */
export function bodyTypeOf(request: ApiRequest, speaker: Speaker): string {
  const header = request.headers.get('content-type') ?? '';
  const offered = bodyTypes(speaker);
  const mediaType = header === '' ? 'application/json' : bodyMediaType(header);
  if (mediaType !== undefined && offered.includes(mediaType)) return mediaType;
  throw new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`,
  );
}

/** A body as JSON, with what a strict reader found. */
export interface ParsedBody {
  readonly value: Json;
  readonly form: 'json' | 'yaml' | 'protobuf' | 'cbor';
  /** Members that came twice: of JSON, or of YAML as `line 4: key "c" already set in map`. */
  readonly duplicates?: readonly DuplicateMember[];
  readonly duplicateLines?: readonly string[];
  readonly literals?: NumberLiterals;
}

/** `parseBody` for what may be large: awaits `pause` every now and then (see `Call.pause`). @throws JsonSyntaxError, YamlSyntaxError */
export async function parseBodyInTurns(
  bytes: Uint8Array,
  mediaType: string,
  repeated: RepeatedObjects,
  pause: Call['pause'],
): Promise<ParsedBody> {
  if (mediaType === 'application/yaml') {
    const parsed = await parseYamlInTurns(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), pause);
    await pause();
    return yamlBody(parsed, await finishInTurns(sortedMembersInSteps(parsed.value), pause));
  }
  const { value, duplicates, literals } = await parseJsonBytesInTurns(bytes, repeated, pause);
  return { value, duplicates, form: 'json', literals };
}

/** @throws JsonSyntaxError, YamlSyntaxError */
export function parseBody(bytes: Uint8Array, mediaType: string, repeated: RepeatedObjects): ParsedBody {
  if (mediaType === 'application/yaml') {
    // YAML's own reader knows a byte order mark.
    const parsed = parseYaml(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    return yamlBody(parsed, sortedMembers(parsed.value));
  }
  const { value, duplicates, literals } = parseJsonBytes(bytes, repeated);
  return { value, duplicates, form: 'json', literals };
}

/** YAML becomes JSON by way of a map, whose members are written in the order of their names. */
function yamlBody({ duplicates }: ParsedYaml, sorted: unknown): ParsedBody {
  return { value: sorted as Json, duplicateLines: duplicates, form: 'yaml' };
}

/** The struct of a kind that is no resource of its own (Scale, DeleteOptions). @throws Error when the catalog lacks it */
export function schemaOf(catalog: Catalog, groupVersion: string, kind: string): StructSchema {
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
  return schema;
}
