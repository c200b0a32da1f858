import { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
import {
  type ApiObject,
  badRequest,
  conflict,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  notFound,
  parseJson,
  StatusError,
} from '../../meta/index.ts';
import { inRequestNamespace, subjectOf } from '../../registry/index.ts';
import { DecodeError, groupVersionOf } from '../../schema/index.ts';
import { type Answer, type Call, managerOf, nowOf, warn } from '../call.ts';
import type { WriteOptions } from '../options.ts';
import { jsonKind } from '../read-object.ts';
import { refuseOtherName } from './create.ts';
import { answerOf, updateWith } from './update.ts';

/** Server-side apply (part 4.6): the body is what its manager wants, the rest stays. */
export async function apply(call: Call, bytes: Uint8Array, options: WriteOptions): Promise<Answer> {
  const { kind, subresource } = call;
  const intent = readIntent(call, new TextDecoder().decode(bytes), options);
  const ownership = kind.ownership(subresource?.name ?? '');
  const { uid } = intent.metadata;
  const by = { manager: managerOf(call, options), now: nowOf(call), force: options.force };
  const next = (current: ApiObject | undefined): ApiObject => {
    if (!current && subresource) throw notFound(subjectOf(call.resource), call.info.name);
    if (!current && uid !== undefined) throw uidMismatch(call, uid);
    return settled(call, ownership.applied(current, intent, by));
  };
  const updated = await updateWith(call, options, { next, createMissing: subresource === undefined, owned: true });
  return answerOf(call, updated);
}

const notJson = 'error decoding YAML: error unmarshaling JSON: while decoding JSON: ';

function uidMismatch({ resource, info }: Call, uid: string): StatusError {
  return conflict(
    subjectOf(resource),
    info.name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

/** A merged object is decoded and defaulted like any other; its place is the URL's. */
function settled({ kind, resource, info }: Call, merged: ApiObject): ApiObject {
  const decoded = decodeMerged(kind, merged, resource);
  const named = {
    ...decoded,
    kind: resource.kind,
    apiVersion: groupVersionOf(resource),
    metadata: { ...decoded.metadata, name: info.name },
  };
  return kind.withDefaults(inRequestNamespace(named, resource, info.namespace));
}

/** The schema of apply is looser than the type: what fits the one may not fit the other. @throws StatusError 500, as the real server */
function decodeMerged(kind: Call['kind'], merged: ApiObject, resource: Call['resource']): ApiObject {
  try {
    return kind.decode(merged);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = `${groupVersionOf(resource)}, Kind=${resource.kind}`;
    const why = `unable to convert unstructured object to ${type}: ${error.message}`;
    const { name = '', namespace = '' } = merged.metadata;
    throw new StatusError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${type}) to proper version: ${why}`,
      undefined,
      error,
    );
  }
}

function readIntent(call: Call, text: string, options: WriteOptions): ApiObject {
  const { value, duplicates } = readBody(text);
  if (duplicates.length > 0) {
    if (options.fieldValidation === 'Strict')
      throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`);
    if (options.fieldValidation === 'Warn') for (const problem of duplicates) warn(call, problem);
  }
  if (value === null) throw badRequest('invalid object type: /, Kind=');
  if (!isJsonObject(value))
    throw badRequest(`${notJson}json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  const { resource, info, server } = call;
  const object = server.product.switches.fieldValidationGovernsApply ? withoutUnknown(call, value, options) : value;
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const named = { kind: resource.kind, apiVersion: groupVersionOf(resource), ...object, metadata } as ApiObject;
  refuseOtherName(named, info.name);
  return named;
}

/** Where fieldValidation governs apply too, what the schema does not know is dealt with before anything else. */
function withoutUnknown(call: Call, value: JsonObject, options: WriteOptions): JsonObject {
  const unknown: string[] = [];
  call.kind.decode(value, (path) => unknown.push(path));
  if (unknown.length === 0) return value;
  const problems = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (options.fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${problems.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(call, problem);
  return unknown.reduce(withoutPath, value);
}

function withoutPath(object: JsonObject, path: string): JsonObject {
  const steps = path.split(/\.|(?=\[\d+\])/);
  return removed(object, steps) as JsonObject;
}

function removed(value: Json, [step = '', ...rest]: readonly string[]): Json {
  const index = /^\[(\d+)\]$/.exec(step);
  if (index && Array.isArray(value)) return value.map((item: Json, at) => (at === Number(index[1]) ? removed(item, rest) : item));
  if (!isJsonObject(value)) return value;
  if (rest.length > 0) return { ...value, [step]: removed(value[step] ?? null, rest) };
  const { [step]: _, ...others } = value;
  return others;
}

/** JSON is YAML too, but its own reader is ten times as fast. */
function readBody(text: string): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    if (/^\s*[{[]/.test(text)) {
      const parsed = tryJson(text);
      if (parsed) return parsed;
    }
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`, error);
    throw error;
  }
}

function tryJson(text: string): { readonly value: Json; readonly duplicates: readonly string[] } | undefined {
  try {
    const { value, duplicates } = parseJson(text);
    // A duplicate is told with its line, which only the other reader knows.
    return duplicates.length === 0 ? { value, duplicates } : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
