import { CborError, openEnvelope, type Protobuf, ProtoError, YamlSyntaxError } from '../../codec/index.ts';
import { runYielding } from '../../env/index.ts';
import {
  type ApiObject,
  type ApiRequest,
  badRequest,
  bytesToHex,
  type DocumentType,
  documentType,
  goQuote,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  requireGroupVersion,
  runSteps,
  stringifyJson,
  textAt,
  UnreadableDocument,
  untypedDocument,
  withMetadata,
} from '../../meta/index.ts';
import {
  type Catalog,
  DecodeError,
  type DecodeTyped,
  type OnUnknownField,
  parseGroupVersion,
  type StructSchema,
} from '../../schema/index.ts';
import { type DecodeBody, decodeInSteps } from '../kinds.ts';
import type { WriteOptions } from '../parameters/options.ts';
import type { RequestContext } from '../request-context.ts';
import { bodyBytes, bodyTypeOf, cborType, type MediaTypeSettings, type ParsedBody, parseBody, parseBodyYielding } from './body.ts';
import { cborTypeError, cborUnknownField, readCborBody } from './cbor-body.ts';
import { duplicateField, jsonStrictProblems, schemaDecodes, type UnknownField } from './strict-problems.ts';

/** The expected type of a body. */
export interface ExpectedType {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: DecodeBody;
  /** A former version of the same shape, which is accepted too. */
  readonly formerly?: string | undefined;
  /** Checks the type when others than the expected one are accepted. @throws UnreadableDocument */
  readonly check?: (type: DocumentType) => void;
  /** Custom resources must set a kind; a different one is a validation error. */
  readonly custom?: boolean;
}

/** Options for decoding the body of a request. */
export interface BodyReader extends MediaTypeSettings {
  readonly catalog: Catalog;
  readonly protobuf: Protobuf;
  /** For a body of another kind than the expected one. */
  readonly decode: DecodeTyped;
  readonly validation: WriteOptions['fieldValidation'];
  readonly warn: (text: string) => void;
  /** Awaited between parsing and decoding (see `RequestContext.pause`). */
  readonly pause: RequestContext['pause'];
}

/** Options for decoding without yielding. */
export type DecodeReader = Omit<BodyReader, 'pause'>;

/** A body that cannot be decoded, with its type as far as it is known. */
class UnreadableBody extends UnreadableDocument {
  readonly type: DocumentType | undefined;
  /** The kind it was decoded into before the error, where that is not the expected one. */
  readonly became: string | undefined;

  constructor(message: string, type?: DocumentType, cause?: unknown, became?: string) {
    super(message, { cause });
    this.type = type;
    this.became = became;
  }
}

/**
 * Decodes the body of a request in the version of its URL, without defaults. Kind and apiVersion may be omitted. @throws StatusError 400,
 * 413, 415
 */
export async function readObject(request: ApiRequest, expected: ExpectedType, reader: BodyReader): Promise<ApiObject> {
  const mediaType = bodyTypeOf(request, reader);
  const bytes = bodyBytes(request);
  try {
    const isText = mediaType === 'application/json' || mediaType === 'application/yaml';
    const body = isText
      ? await parseTextYielding(bytes, mediaType, expected, reader.pause)
      : parseAnyBody(bytes, mediaType, expected, reader);
    await reader.pause();
    const object = await runYielding(decodeAs(body, bytes, expected, reader), reader.pause);
    await reader.pause();
    return object;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw badRequest(decodeErrorMessage(error, expected, bytes), error);
    throw error;
  }
}

/** Removes the metadata fields that only the server sets, so that no manager owns them. Cf. upstream WipeObjectMetaSystemFields. */
export function withoutSystemFields(object: ApiObject): ApiObject {
  return withMetadata(object, {
    creationTimestamp: undefined,
    uid: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

/** @throws UnreadableDocument */
export function decodeBody(bytes: Uint8Array, mediaType: string, expected: ExpectedType, reader: DecodeReader): ApiObject {
  return runSteps(decodeAs(parseAnyBody(bytes, mediaType, expected, reader), bytes, expected, reader));
}

/** Cf. upstream handlers transformDecodeError. */
function decodeErrorMessage(error: UnreadableDocument, { kind }: ExpectedType, bytes: Uint8Array): string {
  const { message } = error;
  const { type, became } = error as Partial<UnreadableBody>;
  if (!type) return `the object provided is unrecognized (must be of type ${kind}): ${message} (${summaryOf(bytes)})`;
  const { version } = parseGroupVersion(type.apiVersion);
  return `${type.kind} in version ${JSON.stringify(version)} cannot be handled as a ${became ?? kind}: ${message}`;
}

/** The start of a body, for error messages. */
function summaryOf(bytes: Uint8Array): string {
  const shownBytes = 30;
  if (bytes.length === 0) return '<empty>';
  const cut = bytes.subarray(0, shownBytes);
  const more = bytes.length > shownBytes ? ' ...' : '';
  if (bytes[0] === 0x7b) return `${new TextDecoder().decode(cut)}${more}`;
  return `${bytesToHex(cut)}${more}`;
}

function parseAnyBody(bytes: Uint8Array, mediaType: string, expected: ExpectedType, reader: DecodeReader): ParsedBody {
  if (mediaType === cborType) return parseCbor(bytes, expected, reader);
  const isProtobuf = mediaType === reader.product.names.protobufMediaType;
  return isProtobuf ? parseProtobuf(bytes, expected, reader) : parseText(bytes, mediaType, expected);
}

function parseCbor(bytes: Uint8Array, expected: ExpectedType, reader: DecodeReader): ParsedBody {
  try {
    const { value, problem } = readCborBody(bytes);
    const type = typeOfBody(value, bytes, expected, reader);
    if (!expected.custom) checkType(type, expected, reader.catalog);
    if (problem !== undefined) throw new UnreadableBody(problem, type);
    return { value, form: 'cbor' };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new UnreadableDocument(`unable to determine group/version/kind: ${error.message}`, { cause: error });
  }
}

function parseText(bytes: Uint8Array, mediaType: string, { custom }: ExpectedType): ParsedBody {
  try {
    return parseBody(bytes, mediaType, custom ? 'replaced' : 'merged');
  } catch (error) {
    throw toUnreadableDocument(error);
  }
}

async function parseTextYielding(
  bytes: Uint8Array,
  mediaType: string,
  { custom }: ExpectedType,
  pause: RequestContext['pause'],
): Promise<ParsedBody> {
  try {
    return await parseBodyYielding(bytes, mediaType, custom ? 'replaced' : 'merged', pause);
  } catch (error) {
    throw toUnreadableDocument(error);
  }
}

function toUnreadableDocument(error: unknown): unknown {
  if (error instanceof JsonSyntaxError) return untypedDocument(error.message, error);
  if (error instanceof YamlSyntaxError) return new UnreadableDocument(error.message, { cause: error });
  return error;
}

/** The type in the envelope is checked before the object is decoded. */
function parseProtobuf(bytes: Uint8Array, expected: ExpectedType, { protobuf, catalog }: DecodeReader): ParsedBody {
  try {
    const envelope = openEnvelope(bytes);
    const type = { apiVersion: envelope.apiVersion || expected.groupVersion, kind: envelope.kind || expected.kind };
    checkType(type, expected, catalog);
    return { value: protobuf.decodeRaw({ ...envelope, ...type }), form: 'protobuf' };
  } catch (error) {
    if (error instanceof ProtoError) throw new UnreadableDocument(error.message, { cause: error });
    throw error;
  }
}

/** Decodes in steps that allow yielding in between. */
function* decodeAs(body: ParsedBody, bytes: Uint8Array, expected: ExpectedType, reader: DecodeReader): Generator<void, ApiObject> {
  const { form, literals } = body;
  const object: Json = body.value ?? {};
  const type = typeOfBody(object, bytes, expected, reader);
  if (!isJsonObject(object)) throw new TypeError('a document with a type is an object');
  if (type.kind !== expected.kind && !expected.custom && !expected.check) yield* decodeOtherKind(object, type, body, reader);
  if (!expected.custom) checkType(type, expected, reader.catalog);
  yield;
  const unknown: UnknownField[] = [];
  const note: OnUnknownField = (path, steps = []) => unknown.push({ path, steps });
  const onUnknownField = reader.validation === 'Ignore' ? undefined : note;
  const decoded = yield* decodeTyped(decodeInSteps(expected.decode, object, { onUnknownField, literals }), type, form);
  if (reader.validation === 'Ignore') return { ...decoded, kind: type.kind, apiVersion: expected.groupVersion };
  yield;
  const problems = strictProblems(body, bytes, unknown, expected);
  if (problems.length > 0 && reader.validation === 'Strict') {
    const became = expected.custom ? type.kind : undefined;
    const { duplicateLines = [] } = body;
    // All duplicate keys of YAML form one error.
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

/** An object of another kind is decoded as that kind before the conversion to the expected one fails. @throws UnreadableBody */
function* decodeOtherKind(
  object: JsonObject,
  type: DocumentType,
  { form, literals }: ParsedBody,
  { catalog, decode }: DecodeReader,
): Generator<void, void> {
  const schema = catalog.kind(type.apiVersion, type.kind);
  if (!schema) return;
  const decodeOther: DecodeBody = (value, options) => decode(schema, value, options) as ApiObject;
  yield* decodeTyped(decodeInSteps(decodeOther, object, { literals }), type, form);
}

/** The findings of strict decoding. */
function strictProblems(body: ParsedBody, bytes: Uint8Array, unknown: readonly UnknownField[], expected: ExpectedType): readonly string[] {
  const { form, value, duplicates = [], duplicateLines = [] } = body;
  if (form === 'cbor')
    return isJsonObject(value)
      ? cborUnknownField(
          value,
          unknown.map(({ path }) => path),
        )
      : [];
  // Unstructured objects are decoded whole before their schema is applied.
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

/** The type of a body. That of a custom resource is checked. @throws UnreadableDocument, StatusError 400 */
function typeOfBody(value: Json, bytes: Uint8Array, expected: ExpectedType, { validation }: DecodeReader): DocumentType {
  return expected.custom ? customType(value, bytes, expected, validation) : typeOf(value, expected);
}

function customType(value: Json, bytes: Uint8Array, expected: ExpectedType, validation: BodyReader['validation']): DocumentType {
  const { groupVersion } = expected;
  // Without validation, errors name the expected type.
  const otherwise = validation === 'Ignore' ? expected : undefined;
  const shown = (): string => (validation === 'Ignore' ? stringifyJson(value) : new TextDecoder().decode(bytes));
  const { apiVersion, kind } = customDocumentType(value, shown, otherwise);
  if (apiVersion === groupVersion) return { apiVersion, kind };
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${groupVersion})`);
}

function* decodeTyped(steps: Generator<void, ApiObject>, type: DocumentType, form: ParsedBody['form']): Generator<void, ApiObject> {
  try {
    return yield* steps;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { version } = parseGroupVersion(type.apiVersion);
    throw new UnreadableBody(form === 'cbor' ? cborTypeError(error.message, version, type.kind) : error.message, type, error);
  }
}

function typeOf(value: Json, expected: ExpectedType): DocumentType {
  const { apiVersion, kind } = documentType(value);
  return { apiVersion: apiVersion || expected.groupVersion, kind: kind || expected.kind };
}

/** The type of a custom resource: it must have a kind, of any group. @throws UnreadableDocument */
export function customDocumentType(
  value: Json,
  shown: () => string,
  otherwise?: Pick<ExpectedType, 'groupVersion' | 'kind'>,
): DocumentType {
  documentType(value);
  const document = value as JsonObject;
  // Unstructured objects take their type from exactly these names.
  const type = { apiVersion: textAt(document, 'apiVersion').replace(/^\/(?=[^/]*$)/, ''), kind: textAt(document, 'kind') };
  if (type.kind === '') {
    const expected = otherwise && { apiVersion: type.apiVersion || otherwise.groupVersion, kind: otherwise.kind };
    throw new UnreadableBody(`Object 'Kind' is missing in '${shown()}'`, expected);
  }
  requireGroupVersion(type.apiVersion);
  const isNull = isJsonObject(value) && value['apiVersion'] === null;
  if (isNull) throw new UnreadableBody('.apiVersion accessor error: <nil> is of the type <nil>, expected string', type);
  return type;
}

function checkType({ apiVersion, kind }: DocumentType, expected: ExpectedType, catalog: Catalog): void {
  if (expected.check) {
    expected.check({ apiVersion, kind });
    return;
  }
  if (kind === expected.kind && (apiVersion === expected.groupVersion || apiVersion === expected.formerly)) return;
  checkConvertible({ apiVersion, kind }, expected, catalog);
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected.groupVersion})`);
}

/** Checks that one type converts to another: versions of the same kind do. @throws UnreadableDocument */
export function checkConvertible(type: DocumentType, expected: Pick<ExpectedType, 'groupVersion' | 'kind'>, catalog: Catalog): void {
  const { apiVersion, kind } = type;
  requireGroupVersion(apiVersion);
  if (!catalog.isRegistered(apiVersion, kind)) throw new UnreadableBody(unregistered(apiVersion, kind), type);
  if (kind === expected.kind) return;
  const from = `${parseGroupVersion(apiVersion).version}.${kind}`;
  throw new UnreadableBody(`converting (${from}) to (${internalName(expected, catalog)}): unknown conversion`, type);
}

/** Checks a document without apiVersion, which means the internal version. @throws UnreadableDocument */
export function checkInternal(kind: string, expected: Pick<ExpectedType, 'groupVersion' | 'kind'>, catalog: Catalog): void {
  if (kind === '' || kind === expected.kind) return;
  const { group } = parseGroupVersion(expected.groupVersion);
  if (!catalog.isRegistered(expected.groupVersion, kind))
    throw new UnreadableDocument(unregisteredIn(`the internal version of group "${group}"`, kind));
  const from = internalName({ ...expected, kind }, catalog);
  throw new UnreadableDocument(`converting (${from}) to (${internalName(expected, catalog)}): unknown conversion`);
}

export function unregistered(apiVersion: string, kind: string): string {
  return unregisteredIn(`version ${JSON.stringify(apiVersion)}`, kind);
}

function unregisteredIn(place: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for ${place} in scheme "pkg/runtime/scheme.go:110"`;
}

/** `core.ConfigMap`: the Go type of the kind's internal version. */
function internalName({ groupVersion, kind }: Pick<ExpectedType, 'groupVersion' | 'kind'>, catalog: Catalog): string {
  return `${catalog.packageOf(groupVersion).split('/')[0]}.${kind}`;
}
