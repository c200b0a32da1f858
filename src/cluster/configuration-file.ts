import { brokenJson, notTyped } from '../authz/index.ts';
import { parseYaml, YamlSyntaxError } from '../codec/index.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  ownMember,
  type Product,
  parseJson,
  sortedMembers,
} from '../meta/index.ts';
import { createTypedDecoder, DecodeError, plainField, type Schema, type StructSchema } from '../schema/index.ts';

/** A file that is no configuration of the kind asked for; the message is the real server's. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

/** What a configuration file has to be. */
export interface ConfigurationKind {
  readonly kind: string;
  readonly shape: StructSchema;
  readonly product: Product;
}

/** Kinds of the group's configuration files, by version. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'AdmissionConfiguration',
    'AuthenticationConfiguration',
    'AuthorizationConfiguration',
    'EncryptionConfiguration',
    'TracingConfiguration',
  ],
  v1beta1: ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
  v1alpha1: ['AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'],
};

export const text: Schema = { form: 'scalar', type: 'string' };
export const truth: Schema = { form: 'scalar', type: 'bool' };

/** Decodes a file strictly: what it does not know is an error. @throws ConfigurationFileError */
export function readConfigurationFile(content: string, { kind: expected, shape, product }: ConfigurationKind): JsonObject {
  const { document, apiVersion, kind, duplicates } = readTypedFile(content);
  if (kind === '') throw unloaded(`Object 'Kind' is missing in '${content}'`);
  if (apiVersion === '') throw unloaded(`Object 'apiVersion' is missing in '${content}'`);
  const [group, version = ''] = apiVersion.split('/');
  const isKnown = group === product.rename('apiserver.config.k8s.io') && (ownMember(kinds, version) ?? []).includes(kind);
  if (!isKnown) throw unregistered(apiVersion, kind);
  const { value, unknown } = decodeTyped(document, kind === expected ? shape : struct(kind, membersOfOthers(kind)));
  const wrong = [...duplicates, ...unknown];
  if (wrong.length > 0) throw unloaded(`strict decoding error: ${wrong.join(', ')}`);
  if (kind !== expected) throw unloaded(`expected ${expected}, got *apiserver.${kind}`);
  return value;
}

/** What the group's other kinds have at their top; what is in that is not looked at. */
function membersOfOthers(kind: string): Readonly<Record<string, Schema>> {
  const members: Readonly<Record<string, readonly string[]>> = {
    AdmissionConfiguration: ['plugins'],
    AuthenticationConfiguration: ['jwt', 'anonymous'],
    AuthorizationConfiguration: ['authorizers'],
    EncryptionConfiguration: ['resources'],
    TracingConfiguration: ['endpoint', 'samplingRatePerMillion'],
  };
  const anything: Schema = { form: 'untyped', topology: 'atomic', type: 'any' };
  return Object.fromEntries(['kind', 'apiVersion', ...(ownMember(members, kind) ?? [])].map((name) => [name, anything]));
}

export interface TypedFile {
  /** Empty where it says nothing. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly document: JsonObject;
  /** What strict reading says of members that come twice. */
  readonly duplicates: readonly string[];
}

/** A document in JSON or YAML, with what it says that it is. @throws ConfigurationFileError */
export function readTypedFile(content: string): TypedFile {
  const { value, duplicates } = parsed(content);
  const document = value ?? {};
  if (!isJsonObject(document)) throw unloaded(notTyped(document).message);
  return { apiVersion: textOf(document['apiVersion']), kind: textOf(document['kind']), document, duplicates };
}

export function unregistered(apiVersion: string, kind: string): ConfigurationFileError {
  return unloaded(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

/** What a document says, and which of its fields are not known. @throws ConfigurationFileError */
export function decodeTyped(
  document: JsonObject,
  shape: StructSchema,
): { readonly value: JsonObject; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  try {
    const value = createTypedDecoder()(shape, document, {
      unknownField: (path) => unknown.push(`unknown field ${JSON.stringify(path)}`),
    });
    return { value, unknown };
  } catch (error) {
    if (error instanceof DecodeError) throw unloaded(error.message, error);
    throw error;
  }
}

/** What begins as an object of JSON is read as JSON, all else as YAML, whose members the real server takes in the order of their names. */
function parsed(content: string): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    if (content.trimStart().startsWith('{')) {
      const { value, duplicates } = parseJson(content);
      return { value, duplicates: duplicates.map(({ path }) => `duplicate field ${JSON.stringify(path)}`) };
    }
    const { value, duplicates } = parseYaml(content);
    const told = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
    return { value: sortedMembers(value) as Json, duplicates: told };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw unloaded(brokenJson(error).message, error);
    if (error instanceof YamlSyntaxError) throw unloaded(error.message, error);
    throw error;
  }
}

function unloaded(why: string, cause?: unknown): ConfigurationFileError {
  return new ConfigurationFileError(why, { cause });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function listOf(items: Schema): Schema {
  return { form: 'list', items, topology: 'atomic', keys: [], wrapped: false };
}

/** A struct of the internal version, whose members may all be left out. */
export function struct(name: string, members: Readonly<Record<string, Schema>>): StructSchema {
  const fields = Object.entries(members).map(([member, schema]) => plainField(member, schema));
  return {
    form: 'struct',
    name: `apiserver/v1.${name}`,
    topology: 'granular',
    typeMeta: false,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    messageFields: fields,
  };
}
