import { bodyMediaType, openEnvelope, type Protobuf, ProtoError, parseYaml, YamlSyntaxError } from '../codec/index.ts';
import {
  type ApiObject,
  type ApiRequest,
  badRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  type Product,
  parseJson,
  StatusError,
} from '../meta/index.ts';
import { type Catalog, DecodeError, parseGroupVersion, type StructSchema } from '../schema/index.ts';
import type { WriteOptions } from './options.ts';

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
}

/** @throws JsonSyntaxError, YamlSyntaxError */
export function parseBody(bytes: Uint8Array, mediaType: string): ParsedBody {
  const text = new TextDecoder().decode(bytes);
  if (mediaType === 'application/yaml') {
    const { value, duplicates } = parseYaml(text);
    return { value, strictErrors: duplicates };
  }
  const { value, duplicates } = parseJson(text);
  return { value, strictErrors: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`) };
}

/** What a body is to become. */
export interface Expected {
  readonly groupVersion: string;
  readonly kind: string;
  readonly decode: (value: JsonObject, unknownField?: (path: string) => void) => ApiObject;
}

export interface BodyReader {
  readonly catalog: Catalog;
  readonly product: Product;
  readonly warn: (text: string) => void;
  readonly protobuf: Protobuf;
}

/** A body that cannot become an object, with what is known of its type. */
class UnreadableBody extends Error {
  readonly gvk: { readonly version: string; readonly kind: string } | undefined;
  constructor(message: string, gvk?: { readonly version: string; readonly kind: string }, cause?: unknown) {
    super(message, { cause });
    this.gvk = gvk;
  }
}

/**
 * The object of a request's body in the version of its URL, not yet defaulted. Kind and version may be left out.
 * @throws StatusError 400, 413, 415
 */
export function readObject(
  request: ApiRequest,
  expected: Expected,
  validation: WriteOptions['fieldValidation'],
  reader: BodyReader,
): ApiObject {
  const mediaType = bodyTypeOf(request, reader.product);
  const bytes = bodyBytes(request);
  try {
    const { value, strictErrors } =
      mediaType === reader.product.names.protobufMediaType
        ? fromProtobuf(bytes, expected, reader)
        : parsed(bytes, mediaType);
    return decodeAs(value, expected, validation, strictErrors, reader);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    if (error.gvk && error.gvk.kind !== '')
      throw badRequest(
        `${error.gvk.kind} in version ${JSON.stringify(error.gvk.version)} cannot be handled as a ${expected.kind}: ${error.message}`,
        error,
      );
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message} (${summaryOf(bytes)})`,
      error,
    );
  }
}

function parsed(bytes: Uint8Array, mediaType: string): ParsedBody {
  try {
    return parseBody(bytes, mediaType);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new UnreadableBody(`couldn't get version/kind; json parse error: ${error.message}`, undefined, error);
    if (error instanceof YamlSyntaxError) throw new UnreadableBody(error.message, undefined, error);
    throw error;
  }
}

/** The envelope says what it holds before that is read. */
function fromProtobuf(bytes: Uint8Array, expected: Expected, { protobuf, catalog }: BodyReader): ParsedBody {
  try {
    const envelope = openEnvelope(bytes);
    const apiVersion = envelope.apiVersion === '' ? expected.groupVersion : envelope.apiVersion;
    const kind = envelope.kind === '' ? expected.kind : envelope.kind;
    const gvk = { version: parseGroupVersion(apiVersion).version, kind };
    if (kind !== expected.kind || apiVersion !== expected.groupVersion) checkType(apiVersion, kind, expected, gvk, catalog);
    return { value: protobuf.decodeRaw({ ...envelope, apiVersion, kind }), strictErrors: [] };
  } catch (error) {
    if (error instanceof ProtoError) throw new UnreadableBody(error.message, undefined, error);
    throw error;
  }
}

const typeMetaStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function decodeAs(
  value: Json,
  expected: Expected,
  validation: WriteOptions['fieldValidation'],
  duplicates: readonly string[],
  reader: BodyReader,
): ApiObject {
  const object: Json = value ?? {};
  if (!isJsonObject(object))
    throw new UnreadableBody(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(object) ? 'array' : typeof object === 'boolean' ? 'bool' : typeof object === 'bigint' ? 'number' : typeof object} into Go value of type ${typeMetaStruct}`,
    );
  const apiVersion = typeof object['apiVersion'] === 'string' && object['apiVersion'] !== '' ? object['apiVersion'] : expected.groupVersion;
  const kind = typeof object['kind'] === 'string' && object['kind'] !== '' ? object['kind'] : expected.kind;
  const gvk = { version: parseGroupVersion(apiVersion).version, kind };
  if (kind !== expected.kind || apiVersion !== expected.groupVersion) checkType(apiVersion, kind, expected, gvk, reader.catalog);
  const strict = [...duplicates];
  let decoded: ApiObject;
  try {
    decoded = expected.decode(object, validation === 'Ignore' ? undefined : (path) => strict.push(`unknown field ${JSON.stringify(path)}`));
  } catch (error) {
    if (error instanceof DecodeError) throw new UnreadableBody(error.message, gvk, error);
    throw error;
  }
  if (strict.length > 0 && validation === 'Strict') throw new UnreadableBody(`strict decoding error: ${strict.join(', ')}`, gvk);
  if (validation === 'Warn') for (const text of strict) reader.warn(text);
  return { ...decoded, kind: expected.kind, apiVersion: expected.groupVersion };
}

function checkType(
  apiVersion: string,
  kind: string,
  expected: Expected,
  gvk: { readonly version: string; readonly kind: string },
  catalog: Catalog,
): void {
  const known = catalog.kind(apiVersion, kind);
  if (!known) throw new UnreadableBody(unregistered(apiVersion, kind), gvk);
  if (kind !== expected.kind) {
    const from = `${gvk.version}.${kind}`;
    const to = `${packageName(catalog, expected.groupVersion)}.${expected.kind}`;
    throw new UnreadableBody(`converting (${from}) to (${to}): unknown conversion`, gvk);
  }
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected.groupVersion})`);
}

export function unregistered(apiVersion: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`;
}

/** `core`, `apps`: what the group's types are called inside the real server. */
function packageName(catalog: Catalog, groupVersion: string): string {
  const [name = ''] = catalog.packageOf(groupVersion).split('/');
  return name;
}

/** The beginning of a body, as errors show it. */
function summaryOf(bytes: Uint8Array): string {
  const shownBytes = 30;
  if (bytes.length === 0) return '<empty>';
  const cut = bytes.subarray(0, shownBytes);
  const more = bytes.length > shownBytes ? ' ...' : '';
  if (bytes[0] === 0x7b) return `${new TextDecoder().decode(cut)}${more}`;
  return `${Array.from(cut, (byte) => byte.toString(16).padStart(2, '0')).join('')}${more}`;
}

/** The struct of a kind that is no resource of its own (Scale, DeleteOptions). @throws Error when the catalog lacks it */
export function schemaOf(catalog: Catalog, groupVersion: string, kind: string): StructSchema {
  const schema = catalog.kind(groupVersion, kind);
  if (!schema) throw new Error(`the catalog has no ${kind} in ${groupVersion}`);
  return schema;
}
