import { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
import {
  type DocumentType,
  documentType,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  ownMember,
  type Product,
  parseJson,
  requireGroupVersion,
  sortMembers,
  textAt,
  UnreadableDocument,
  untypedDocument,
} from '../../meta/index.ts';
import { createTypedDecoder, DecodeError, plainField, type Schema, type StructSchema } from '../../schema/index.ts';

/** The file is not a configuration of the expected kind. The message is the real server's. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

/** A file without kind or version, or of a kind that is not registered. */
export class UnknownKindError extends ConfigurationFileError {}

/** The expected kind and schema of a configuration file. */
export interface ConfigurationKind {
  readonly kind: string;
  readonly shape: StructSchema;
  readonly product: Product;
}

/** Kinds of configuration files, by group and version. */
const registeredKinds: Readonly<Record<string, readonly string[]>> = {
  'apiserver.config.k8s.io/v1': [
    'AdmissionConfiguration',
    'AuthenticationConfiguration',
    'AuthorizationConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration',
  ],
  'apiserver.config.k8s.io/v1beta1': ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
  'apiserver.config.k8s.io/v1alpha1': ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
  'apiserver.k8s.io/v1alpha1': ['AdmissionConfiguration', 'EgressSelectorConfiguration'],
};

export const text: Schema = { form: 'scalar', type: 'string' };
export const bool: Schema = { form: 'scalar', type: 'bool' };
export const int32: Schema = { form: 'scalar', type: 'int32' };
export const int64: Schema = { form: 'scalar', type: 'int64' };
export const double: Schema = { form: 'scalar', type: 'double' };
export const anything: Schema = { form: 'untyped', topology: 'atomic', type: 'any' };

/** Decodes a file strictly: unknown and duplicate fields are errors. @throws ConfigurationFileError */
export function readConfigurationFile(content: string, { kind: expected, shape, product }: ConfigurationKind): JsonObject {
  const file = readRegisteredFile(content, (apiVersion, read) =>
    Object.entries(registeredKinds).some(([groupVersion, known]) => apiVersion === product.rename(groupVersion) && known.includes(read)),
  );
  const { kind } = file;
  const value = decodeStrictly(file, kind === expected ? shape : struct(kind, topLevelMembers(kind)));
  if (kind !== expected) throw fileError(`expected ${expected}, got *apiserver.${kind}`);
  return value;
}

/** Top-level members of the group's other kinds; their content is not validated. */
function topLevelMembers(kind: string): Readonly<Record<string, Schema>> {
  const members: Readonly<Record<string, readonly string[]>> = {
    AdmissionConfiguration: ['plugins'],
    AuthenticationConfiguration: ['jwt', 'anonymous'],
    AuthorizationConfiguration: ['authorizers'],
    EgressSelectorConfiguration: ['egressSelections'],
    EncryptionConfiguration: ['resources'],
    TracingConfiguration: ['endpoint', 'samplingRatePerMillion'],
  };
  return Object.fromEntries(['kind', 'apiVersion', ...(ownMember(members, kind) ?? [])].map((name) => [name, anything]));
}

export interface TypedFile extends DocumentType {
  readonly document: JsonObject;
  /** Strict decoding errors for duplicate members. */
  readonly duplicates: readonly string[];
}

/** Parses a document of a registered kind. @throws ConfigurationFileError */
function readRegisteredFile(content: string, isRegistered: (apiVersion: string, kind: string) => boolean): TypedFile {
  const file = readTypedFile(content);
  const { apiVersion, kind } = file;
  if (kind === '') throw new UnknownKindError(`Object 'Kind' is missing in '${content}'`);
  if (apiVersion === '') throw new UnknownKindError(`Object 'apiVersion' is missing in '${content}'`);
  if (!isRegistered(apiVersion, kind)) throw unregisteredKindError(apiVersion, kind);
  return file;
}

/** The kinds and the schema of a configuration of its own group. */
export interface ConfigurationKinds {
  /** The kind in each `group/version`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly shape: StructSchema;
  /** Unknown and duplicate fields are errors. */
  readonly strict: boolean;
  readonly product: Product;
}

/** Decodes a configuration of another group than apiserver.config.k8s.io. @throws ConfigurationFileError */
export function decodeConfiguration(content: string, { kinds, shape, strict, product }: ConfigurationKinds): JsonObject {
  const file = readRegisteredFile(content, (apiVersion, kind) =>
    Object.entries(kinds).some(([groupVersion, known]) => apiVersion === product.rename(groupVersion) && kind === known),
  );
  return strict ? decodeStrictly(file, shape) : decodeTyped(file.document, shape).value;
}

/** Unknown and duplicate fields are errors. @throws ConfigurationFileError */
function decodeStrictly({ document, duplicates }: TypedFile, shape: StructSchema): JsonObject {
  const { value, unknown } = decodeTyped(document, shape);
  const wrong = [...duplicates, ...unknown];
  if (wrong.length > 0) throw fileError(`strict decoding error: ${wrong.join(', ')}`);
  return value;
}

/** Parses a JSON or YAML document with its apiVersion and kind. @throws ConfigurationFileError */
export function readTypedFile(content: string): TypedFile {
  const { value, duplicates } = parseDocument(content);
  const document = value ?? {};
  return { ...configurationType(document), document: document as JsonObject, duplicates };
}

/** The kind and version of a document. @throws ConfigurationFileError */
export function configurationType(document: Json): DocumentType {
  try {
    const type = documentType(document);
    requireGroupVersion(type.apiVersion);
    return type;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw fileError(error.message, error);
    throw error;
  }
}

export function unregisteredKindError(apiVersion: string, kind: string): ConfigurationFileError {
  return new UnknownKindError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

/** Decodes a document by its schema, and lists unknown fields. @throws ConfigurationFileError */
export function decodeTyped(
  document: JsonObject,
  shape: StructSchema,
): { readonly value: JsonObject; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  try {
    const value = createTypedDecoder()(shape, document, {
      // Some errors distinguish empty lists from missing ones.
      retainEmpties: 'all',
      onUnknownField: (path) => unknown.push(`unknown field ${JSON.stringify(path)}`),
    });
    return { value, unknown };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const version = textAt(document, 'apiVersion').replace(/^.*\//, '') || 'v1';
    throw fileError(error.message.replace(ownVersion, version), error);
  }
}

/** Text that starts with `{` is parsed as JSON, other text as YAML, whose members the real server sorts by name. */
function parseDocument(content: string): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    if (content.trimStart().startsWith('{')) {
      const { value, duplicates } = parseJson(content);
      return { value, duplicates: duplicates.map(({ path }) => `duplicate field ${JSON.stringify(path)}`) };
    }
    const { value, duplicates } = parseYaml(content);
    const messages = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
    return { value: sortMembers(value) as Json, duplicates: messages };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw fileError(untypedDocument(error.message).message, error);
    if (error instanceof YamlSyntaxError) throw fileError(error.message, error);
    throw error;
  }
}

function fileError(why: string, cause?: unknown): ConfigurationFileError {
  return new ConfigurationFileError(why, { cause });
}

export function listOf(items: Schema): Schema {
  return { form: 'list', items, topology: 'atomic', keys: [], wrapped: false };
}

/** In Go types of errors: the version of the file. All versions of a configuration have the same members. */
const ownVersion = '{version}';

/** A struct with optional members. `goPackage`: of a type that configurations share with other groups. */
export function struct(name: string, members: Readonly<Record<string, Schema>>, goPackage = `apiserver/${ownVersion}`): StructSchema {
  const fields = Object.entries(members).map(([member, schema]) => plainField(member, schema));
  return {
    form: 'struct',
    name: `${goPackage}.${name}`,
    topology: 'granular',
    typeMeta: false,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    messageFields: fields,
  };
}
