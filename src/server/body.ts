import { bodyMediaType, parseYaml } from '../codec/index.ts';
import { type ApiRequest, type Json, type Product, parseJson, StatusError } from '../meta/index.ts';
import type { Catalog, StructSchema } from '../schema/index.ts';

/** The most a request may carry (part 8), in bytes. */
const maxBodyBytes = 3 * 1024 * 1024;

export interface BodyTypes {
  readonly json: 'application/json';
  readonly yaml: 'application/yaml';
  readonly protobuf: string;
}

export function bodyTypes(product: Product): readonly string[] {
  return ['application/json', 'application/yaml', product.names.protobufMediaType];
}

/** @throws StatusError 413 */
export function bodyBytes({ body }: ApiRequest): Uint8Array {
  if (body && body.length > maxBodyBytes)
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
  return body ?? new Uint8Array();
}

/** @throws StatusError 415 */
export function bodyTypeOf(request: ApiRequest, product: Product): string {
  const header = request.headers.get('content-type') ?? '';
  const offered = bodyTypes(product);
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
  /** `duplicate field "metadata.name"`, or for YAML `line 4: key "c" already set in map`. */
  readonly strictErrors: readonly string[];
  /** Came through a map (YAML): its members are in order of name. */
  readonly sorted: boolean;
}

/** @throws JsonSyntaxError, YamlSyntaxError */
export function parseBody(bytes: Uint8Array, mediaType: string): ParsedBody {
  // A byte order mark is no JSON, and YAML's reader knows it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (mediaType === 'application/yaml') {
    const { value, duplicates } = parseYaml(text);
    return { value, strictErrors: duplicates, sorted: true };
  }
  const { value, duplicates } = parseJson(text);
  return { value, strictErrors: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`), sorted: false };
}

/** The struct of a kind that is no resource of its own (Scale, DeleteOptions). @throws Error when the catalog lacks it */
export function schemaOf(catalog: Catalog, groupVersion: string, kind: string): StructSchema {
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
  return schema;
}
