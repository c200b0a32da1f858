import { CborError, openEnvelope, type Protobuf, ProtoError, YamlSyntaxError } from '../codec/index.ts';
import { finishInTurns } from '../env/index.ts';
import {
  type ApiObject,
  type ApiRequest,
  badRequest,
  finish,
  goQuote,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  stringifyJson,
  textAt,
  withMetadata,
} from '../meta/index.ts';
import { type Catalog, DecodeError, type NoteUnknownField, parseGroupVersion, type StructSchema } from '../schema/index.ts';
import { bodyBytes, bodyTypeOf, cborType, type ParsedBody, parseBody, parseBodyInTurns, type Speaker } from './body.ts';
import type { Call } from './call.ts';
import { cborTypeError, cborUnknownField, readCborBody } from './cbor-body.ts';
import type { DecodeBody } from './kinds.ts';
import type { WriteOptions } from './options.ts';
import { duplicateField, jsonStrictProblems, schemaDecodes, type UnknownField } from './strict-problems.ts';

/** What a body is to become. */
export interface Expected {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: DecodeBody;
  /** A former version of the same shape, which is taken too. */
  readonly formerly?: string | undefined;
  /** Which types are taken for it, if others than its own. @throws UnreadableBody */
  readonly check?: (type: TypeOfBody) => void;
  /** Objects say themselves what they are: they need a kind, and another one is a matter of validation. */
  readonly custom?: boolean;
}

/** How the bodies of a request are read. */
export interface BodyReader extends Speaker {
  readonly catalog: Catalog;
  readonly protobuf: Protobuf;
  readonly validation: WriteOptions['fieldValidation'];
  readonly warn: (text: string) => void;
  /** Awaited between parsing and decoding (see `Call.pause`). */
  readonly pause: Call['pause'];
}

/** How a body is decoded at one go. */
export type DecodeReader = Omit<BodyReader, 'pause'>;

export interface TypeOfBody {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A body that cannot become an object, with what is known of its type. */
export class UnreadableBody extends Error {
  readonly type: TypeOfBody | undefined;
  /** The kind of what it became before it was refused, where that is not the one expected. */
  readonly became: string | undefined;

  constructor(message: string, type?: TypeOfBody, cause?: unknown, became?: string) {
    super(message, { cause });
    this.type = type;
    this.became = became;
  }
}

/**
 * The object of a request's body in the version of its URL, not yet defaulted. Kind and version may be left out.
 * @throws StatusError 400, 413, 415
 */
export async function readObject(request: ApiRequest, expected: Expected, reader: BodyReader): Promise<ApiObject> {
  const mediaType = bodyTypeOf(request, reader);
  const bytes = bodyBytes(request);
  try {
    const isText = mediaType === 'application/json' || mediaType === 'application/yaml';
    const body = isText ? await textInTurns(bytes, mediaType, expected, reader.pause) : parsed(bytes, mediaType, expected, reader);
    await reader.pause();
    const object = await finishInTurns(decodeAs(body, bytes, expected, reader), reader.pause);
    await reader.pause();
    return object;
  } catch (error) {
    if (error instanceof UnreadableBody) throw badRequest(sayingOf(error, expected, bytes), error);
    throw error;
  }
}

/** What is made says nothing of what only the server knows, so nobody owns that either. Cf. upstream WipeObjectMetaSystemFields. */
export function withoutSystemFields(object: ApiObject): ApiObject {
  return withMetadata(object, {
    creationTimestamp: undefined,
    uid: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

/** @throws UnreadableBody */
export function decodeBody(bytes: Uint8Array, mediaType: string, expected: Expected, reader: DecodeReader): ApiObject {
  return finish(decodeAs(parsed(bytes, mediaType, expected, reader), bytes, expected, reader));
}

/** Cf. upstream handlers transformDecodeError. */
function sayingOf({ type, message, became }: UnreadableBody, { kind }: Expected, bytes: Uint8Array): string {
  if (!type) return `the object provided is unrecognized (must be of type ${kind}): ${message} (${summaryOf(bytes)})`;
  const { version } = parseGroupVersion(type.apiVersion);
  return `${type.kind} in version ${JSON.stringify(version)} cannot be handled as a ${became ?? kind}: ${message}`;
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

function parsed(bytes: Uint8Array, mediaType: string, expected: Expected, reader: DecodeReader): ParsedBody {
  if (mediaType === cborType) return fromCbor(bytes, expected, reader);
  const isProtobuf = mediaType === reader.product.names.protobufMediaType;
  return isProtobuf ? fromProtobuf(bytes, expected, reader) : fromText(bytes, mediaType, expected);
}

function fromCbor(bytes: Uint8Array, expected: Expected, reader: DecodeReader): ParsedBody {
  try {
    const { value, problem } = readCborBody(bytes);
    const type = bodyType(value, bytes, expected, reader);
    if (problem !== undefined) throw new UnreadableBody(problem, type);
    return { value, form: 'cbor' };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new UnreadableBody(`unable to determine group/version/kind: ${error.message}`, undefined, error);
  }
}

function fromText(bytes: Uint8Array, mediaType: string, { custom }: Expected): ParsedBody {
  try {
    return parseBody(bytes, mediaType, custom ? 'replaced' : 'merged');
  } catch (error) {
    throw unreadableText(error);
  }
}

async function textInTurns(bytes: Uint8Array, mediaType: string, { custom }: Expected, pause: Call['pause']): Promise<ParsedBody> {
  try {
    return await parseBodyInTurns(bytes, mediaType, custom ? 'replaced' : 'merged', pause);
  } catch (error) {
    throw unreadableText(error);
  }
}

function unreadableText(error: unknown): unknown {
  if (error instanceof JsonSyntaxError) return untyped(error.message, error);
  if (error instanceof YamlSyntaxError) return new UnreadableBody(error.message, undefined, error);
  return error;
}

/** The envelope says what it holds before that is read. */
function fromProtobuf(bytes: Uint8Array, expected: Expected, { protobuf, catalog }: DecodeReader): ParsedBody {
  try {
    const envelope = openEnvelope(bytes);
    const type = { apiVersion: envelope.apiVersion || expected.groupVersion, kind: envelope.kind || expected.kind };
    checkType(type, expected, catalog);
    return { value: protobuf.decodeRaw({ ...envelope, ...type }), form: 'protobuf' };
  } catch (error) {
    if (error instanceof ProtoError) throw new UnreadableBody(error.message, undefined, error);
    throw error;
  }
}

/** In steps, between which others can have their turns. */
function* decodeAs(body: ParsedBody, bytes: Uint8Array, expected: Expected, reader: DecodeReader): Generator<void, ApiObject> {
  const { form, literals } = body;
  const object: Json = body.value ?? {};
  const type = bodyType(object, bytes, expected, reader);
  if (!isJsonObject(object)) throw new TypeError('a document with a type is an object');
  yield;
  const unknown: UnknownField[] = [];
  const note: NoteUnknownField = (path, steps = []) => unknown.push({ path, steps });
  const fills: Generator<void, void>[] = [];
  const unknownField = reader.validation === 'Ignore' ? undefined : note;
  const decoded = decodeOr(() => expected.decode(object, unknownField, literals, (fill) => fills.push(fill)), type, form);
  for (const fill of fills) yield* fill;
  if (reader.validation === 'Ignore') return { ...decoded, kind: type.kind, apiVersion: expected.groupVersion };
  yield;
  const problems = strictProblems(body, bytes, unknown, expected);
  if (problems.length > 0 && reader.validation === 'Strict') {
    const became = expected.custom ? type.kind : undefined;
    const { duplicateLines = [] } = body;
    // What is wrong with the lines of YAML is one error.
    const lines = duplicateLines.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicateLines.join('\n  ')}`] : [];
    throw new UnreadableBody(
      `strict decoding error: ${[...lines, ...problems.slice(duplicateLines.length)].join(', ')}`,
      type,
      undefined,
      became,
    );
  }
  for (const problem of problems) reader.warn(problem);
  return { ...decoded, kind: type.kind, apiVersion: expected.groupVersion };
}

/** What a strict reader says of a body. */
function strictProblems(body: ParsedBody, bytes: Uint8Array, unknown: readonly UnknownField[], expected: Expected): readonly string[] {
  const { form, value, duplicates = [], duplicateLines = [] } = body;
  if (form === 'cbor')
    return isJsonObject(value)
      ? cborUnknownField(
          value,
          unknown.map(({ path }) => path),
        )
      : [];
  // What is unstructured is read whole before its schema is looked at.
  if (expected.custom)
    return [...duplicateLines, ...duplicates.map(duplicateField), ...unknown.map(({ path }) => `unknown field "${path}"`)];
  if (form === 'json')
    return jsonStrictProblems(
      () => new TextDecoder().decode(bytes),
      duplicates,
      unknown,
      (steps) => schemaDecodes(expected.schema, steps),
    );
  return [...duplicateLines, ...unknown.map(({ path }) => `unknown field ${goQuote(path)}`)];
}

/** What a body says it is, when that may be taken here. @throws UnreadableBody, StatusError 400 */
function bodyType(value: Json, bytes: Uint8Array, expected: Expected, { catalog, validation }: DecodeReader): TypeOfBody {
  if (expected.custom) return customType(value, bytes, expected, validation);
  const type = typeOf(value, expected);
  checkType(type, expected, catalog);
  return type;
}

function customType(value: Json, bytes: Uint8Array, expected: Expected, validation: BodyReader['validation']): TypeOfBody {
  const { groupVersion } = expected;
  // Who asks for no validation is told of the type that was expected.
  const otherwise = validation === 'Ignore' ? expected : undefined;
  const shown = (): string => (validation === 'Ignore' ? stringifyJson(value) : new TextDecoder().decode(bytes));
  const { apiVersion, kind } = customDocumentType(value, shown, otherwise);
  if (apiVersion === groupVersion) return { apiVersion, kind };
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${groupVersion})`);
}

function decodeOr(decode: () => ApiObject, type: TypeOfBody, form: ParsedBody['form']): ApiObject {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { version } = parseGroupVersion(type.apiVersion);
    throw new UnreadableBody(form === 'cbor' ? cborTypeError(error.message, version, type.kind) : error.message, type, error);
  }
}

function typeOf(value: Json, expected: Expected): TypeOfBody {
  const { apiVersion, kind } = documentType(value);
  return { apiVersion: apiVersion || expected.groupVersion, kind: kind || expected.kind };
}

/** What a document says of its type, empty where it says nothing. @throws UnreadableBody */
export function documentType(value: Json): TypeOfBody {
  if (!isJsonObject(value)) throw untyped(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${typeMetaStruct}`);
  let [apiVersion, kind] = ['', ''];
  for (const name of Object.keys(value)) {
    if (!maybeTypeField.test(name)) continue;
    const member = value[name];
    // Here alone names are read as Go's own JSON package does: in any case, the last one counts.
    const field = typeFields.get(name.toUpperCase().toLowerCase());
    if (field === undefined || member === null || member === undefined) continue;
    if (typeof member !== 'string')
      throw untyped(`json: cannot unmarshal ${jsonKind(member)} into Go struct field .${field} of type string`);
    if (field === 'kind') kind = member;
    else apiVersion = member;
  }
  // A group without a name is the core one, however that is written.
  return { apiVersion: apiVersion.replace(/^\/(?=[^/]*$)/, ''), kind };
}

/** What `typeFields` may hold in any case, told cheaply: `K` and `ı` are a k and an i in upper case. */
const maybeTypeField = /^[aAkK\u212a][pPiI\u0131]/;
const typeFields: ReadonlyMap<string, 'apiVersion' | 'kind'> = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
]);

/** The type of a document that is of no built-in kind: it has to have one, of whatever group. @throws UnreadableBody */
export function customDocumentType(value: Json, shown: () => string, otherwise?: Pick<Expected, 'groupVersion' | 'kind'>): TypeOfBody {
  documentType(value);
  const document = value as JsonObject;
  // What is unstructured has the type that stands under these very names.
  const type = { apiVersion: textAt(document, 'apiVersion').replace(/^\/(?=[^/]*$)/, ''), kind: textAt(document, 'kind') };
  if (type.kind === '') {
    const told = otherwise && { apiVersion: type.apiVersion || otherwise.groupVersion, kind: otherwise.kind };
    throw new UnreadableBody(`Object 'Kind' is missing in '${shown()}'`, told);
  }
  checkGroupVersion(type.apiVersion);
  const isNull = isJsonObject(value) && value['apiVersion'] === null;
  if (isNull) throw new UnreadableBody('.apiVersion accessor error: <nil> is of the type <nil>, expected string', type);
  return type;
}

function checkGroupVersion(apiVersion: string): void {
  if (apiVersion.split('/').length > 2) throw new UnreadableBody(`unexpected GroupVersion string: ${apiVersion}`);
}

const typeMetaStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function untyped(message: string, cause?: unknown): UnreadableBody {
  return new UnreadableBody(`couldn't get version/kind; json parse error: ${message}`, undefined, cause);
}

function checkType({ apiVersion, kind }: TypeOfBody, expected: Expected, catalog: Catalog): void {
  if (expected.check) {
    expected.check({ apiVersion, kind });
    return;
  }
  if (kind === expected.kind && (apiVersion === expected.groupVersion || apiVersion === expected.formerly)) return;
  checkConvertible({ apiVersion, kind }, expected, catalog);
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected.groupVersion})`);
}

/** Whether one type can become another: a version of the same kind can. @throws UnreadableBody */
export function checkConvertible(type: TypeOfBody, expected: Pick<Expected, 'groupVersion' | 'kind'>, catalog: Catalog): void {
  const { apiVersion, kind } = type;
  checkGroupVersion(apiVersion);
  if (!catalog.isRegistered(apiVersion, kind)) throw new UnreadableBody(unregistered(apiVersion, kind), type);
  if (kind === expected.kind) return;
  const from = `${parseGroupVersion(apiVersion).version}.${kind}`;
  throw new UnreadableBody(`converting (${from}) to (${internalName(expected, catalog)}): unknown conversion`, type);
}

/** Whether a document without a version, which the server's own form is meant by, can be of that kind. @throws UnreadableBody */
export function checkInternal(kind: string, expected: Pick<Expected, 'groupVersion' | 'kind'>, catalog: Catalog): void {
  if (kind === '' || kind === expected.kind) return;
  const { group } = parseGroupVersion(expected.groupVersion);
  if (!catalog.isRegistered(expected.groupVersion, kind))
    throw new UnreadableBody(unregisteredIn(`the internal version of group "${group}"`, kind));
  const from = internalName({ ...expected, kind }, catalog);
  throw new UnreadableBody(`converting (${from}) to (${internalName(expected, catalog)}): unknown conversion`);
}

export function unregistered(apiVersion: string, kind: string): string {
  return unregisteredIn(`version ${JSON.stringify(apiVersion)}`, kind);
}

function unregisteredIn(place: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for ${place} in scheme "pkg/runtime/scheme.go:110"`;
}

/** `core.ConfigMap`: what the kind is called inside the real server. */
function internalName({ groupVersion, kind }: Pick<Expected, 'groupVersion' | 'kind'>, catalog: Catalog): string {
  return `${catalog.packageOf(groupVersion).split('/')[0]}.${kind}`;
}
