import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { fieldSpecsOf, updateFields } from './field-specs.ts';
import type { Resource } from './resource.ts';
import { effectiveNamespace, selectorId } from './resource-id.ts';
import type { ResourceSet } from './resource-set.ts';

/** A `vars` entry with the resource that it refers to. */
export interface Variable {
  readonly name: string;
  readonly fieldPath: string;
  readonly source: Resource | undefined;
}

/** `vars`: names for fields of objects. @throws KubectlError for a name that is defined twice, or several objects */
export function readVariables(config: JsonObject, set: ResourceSet, variables: Variable[]): void {
  for (const entry of objectsAt(config, 'vars')) {
    const name = textAt(entry, 'name');
    const target = recordAt(entry, 'objref');
    const matches = set.resources.filter((resource) => isReferredTo(set, resource, target));
    if (matches.length > 1) throw new KubectlError(`found ${matches.length} resId matches for var ${name} (unable to disambiguate)`);
    if (variables.some((one) => one.name === name)) throw new KubectlError(`var '${name}' already encountered`);
    variables.push({ name, fieldPath: textAt(recordAt(entry, 'fieldref'), 'fieldPath') || 'metadata.name', source: matches[0] });
  }
}

function isReferredTo({ product }: ResourceSet, { ids }: Resource, target: JsonObject): boolean {
  const [version = '', group = ''] = textAt(target, 'apiVersion').split('/').reverse();
  const named = selectorId(target);
  const wanted = { ...named, group: named.group || group, version: named.version || version };
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
export function expandVariables(set: ResourceSet, variables: readonly Variable[]): void {
  if (variables.length === 0) return;
  const values = new Map(variables.map((variable) => [variable.name, variableValue(variable)]));
  const specs = fieldSpecsOf('varReference', set.product);
  for (const resource of set.resources) resource.object = updateFields(resource.object, specs, (value) => expand(value, values));
}

function variableValue({ name, fieldPath, source }: Variable): Json {
  if (!source) throw new KubectlError(`var '${name}' cannot be mapped to a field in the set of known resources`);
  const parts = fieldPath.match(/[^.[\]]+/g) ?? [];
  const value = parts.reduce<Json | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)];
    return isJsonObject(at) ? at[part] : undefined;
  }, source.object);
  if (value === undefined || value === null) throw new KubectlError(`field specified in var '${name}' not found in corresponding resource`);
  return value;
}

function expand(value: Json, values: ReadonlyMap<string, Json>): Json {
  if (Array.isArray(value)) return value.map((item) => expand(item, values));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, member === undefined ? member : expand(member, values)]),
    );
  if (typeof value !== 'string') return value;
  const whole = /^\$\(([^()]+)\)$/.exec(value)?.[1];
  const replaced = whole === undefined ? undefined : values.get(whole);
  // A field that is one variable gets the type of its value.
  if (replaced !== undefined) return replaced;
  return value.replace(/\$\$|\$\(([^()]+)\)/g, (found, name: string | undefined) => {
    if (name === undefined) return '$';
    const text = values.get(name);
    return text === undefined ? found : String(text);
  });
}
