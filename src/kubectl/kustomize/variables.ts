import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { logLine } from '../program/log-line.ts';
import { withContext } from './errors.ts';
import { updateFields } from './field-specs.ts';
import type { Resource } from './resource.ts';
import { effectiveNamespace, formatGvk, type ResourceId, selectorId } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';

/** A `vars` entry with the resource that it refers to. */
export interface Variable {
  readonly name: string;
  readonly fieldPath: string;
  readonly source: Resource | undefined;
  /** How errors name it. */
  readonly shown: string;
}

/** `vars`: names for fields of objects. @throws KubectlError for a name that is defined twice, or several objects */
export function readVariables(config: JsonObject, set: ResourceSet, variables: Variable[]): void {
  const entries = objectsAt(config, 'vars');
  try {
    for (const entry of entries) addVariable(entry, set, variables);
  } catch (error) {
    const shown = entries.map((entry) => format(entry, selectorId(recordAt(entry, 'objref')), fieldPathOf(entry)));
    throw withContext(error, `merging vars [${shown.join(' ')}]`);
  }
}

function addVariable(entry: JsonObject, set: ResourceSet, variables: Variable[]): void {
  const [name, target] = [textAt(entry, 'name'), targetOf(entry)];
  const matches = set.resources.filter((resource) => isReferredTo(set, resource, target));
  if (matches.length > 1)
    throw new KubectlError(
      `found ${matches.length} resId matches for var ${format(entry, target, fieldPathOf(entry))} (unable to disambiguate)`,
    );
  if (variables.some((one) => one.name === name)) throw new KubectlError(`var '${name}' already encountered`);
  const fieldPath = fieldPathOf(entry) || 'metadata.name';
  variables.push({ name, fieldPath, source: matches[0], shown: format(entry, target, fieldPath) });
}

function fieldPathOf(entry: JsonObject): string {
  return textAt(recordAt(entry, 'fieldref'), 'fieldPath');
}

/** Go's format of the entry. */
function format(entry: JsonObject, target: ResourceId, fieldPath: string): string {
  return `{${textAt(entry, 'name')} ${formatGvk(target)} {${fieldPath}}}`;
}

/** The id of the object; its group and version may be in `apiVersion`. */
function targetOf(entry: JsonObject): ResourceId {
  const target = recordAt(entry, 'objref');
  const [version = '', group = ''] = textAt(target, 'apiVersion').split('/').reverse();
  const named = selectorId(target);
  return { ...named, group: named.group || group, version: named.version || version };
}

function isReferredTo({ product }: ResourceSet, { ids }: Resource, wanted: ResourceId): boolean {
  return ids.some(
    (id) =>
      id.kind === wanted.kind &&
      id.group === wanted.group &&
      id.version === wanted.version &&
      id.name === wanted.name &&
      (wanted.namespace === '' || effectiveNamespace(id, product) === effectiveNamespace(wanted, product)),
  );
}

/** Replaces `$(NAME)` in the fields that may have variables. @throws KubectlError */
export function expandVariables(call: Call, set: ResourceSet, variables: readonly Variable[]): void {
  if (variables.length === 0) return;
  const values = new Map(variables.map((variable) => [variable.name, variableValue(variable)]));
  const unused = new Set(values.keys());
  const lookUp = (name: string): Json | undefined => {
    unused.delete(name);
    return values.get(name);
  };
  for (const resource of set.resources)
    resource.object = updateFields(resource.object, set.config.varReference, (value) => expand(value, lookUp));
  if (unused.size > 0) call.err(logLine(call, 'I', 'log.go:244', `well-defined vars that were never replaced: ${[...unused].join(',')}`));
}

function variableValue({ shown, fieldPath, source }: Variable): Json {
  if (!source) throw new KubectlError(`var '${shown}' cannot be mapped to a field in the set of known resources`);
  const parts = fieldPath.match(/[^.[\]]+/g) ?? [];
  const value = parts.reduce<Json | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)];
    return isJsonObject(at) ? at[part] : undefined;
  }, source.object);
  if (value === undefined || value === null)
    throw new KubectlError(`field specified in var '${shown}' not found in corresponding resource`);
  return value;
}

function expand(value: Json, lookUp: (name: string) => Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => expand(item, lookUp));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, member === undefined ? member : expand(member, lookUp)]),
    );
  if (typeof value !== 'string') return value;
  const whole = /^\$\(([^()]+)\)$/.exec(value)?.[1];
  const replaced = whole === undefined ? undefined : lookUp(whole);
  // A field that is one variable gets the type of its value.
  if (replaced !== undefined) return replaced;
  return value.replace(/\$\$|\$\(([^()]+)\)/g, (found, name: string | undefined) => {
    if (name === undefined) return '$';
    const text = lookUp(name);
    return text === undefined ? found : String(text);
  });
}
