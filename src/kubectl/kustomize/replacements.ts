import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { isScalar } from './field-specs.ts';
import { readYamlText, unmarshal } from './go-structs.ts';
import type { Configure } from './plugin.ts';
import type { Resource } from './resource.ts';
import { effectiveNamespace, formatId, isSelected, selectorId } from './resource-id.ts';
import { matchesMetadata, type ResourceSet } from './resource-set.ts';
import { readSourceText, type SourceFolder } from './source-files.ts';

/** Copies a field of one object to fields of others. Cf. kustomize filters/replacement. */
export const replacementTransformer: Configure = async (folder, config) => {
  const replacements: JsonObject[] = [];
  for (const entry of objectsAt(config, 'replacements')) {
    const path = textAt(entry, 'path');
    if (path !== '' && (isJsonObject(entry['source']) || objectsAt(entry, 'targets').length > 0))
      throw new KubectlError('cannot specify both path and inline replacement');
    replacements.push(...(path === '' ? [entry] : await readReplacements(folder, path)));
  }
  return (set) => {
    for (const replacement of replacements) replace(set, replacement);
  };
};

async function readReplacements(folder: SourceFolder, path: string): Promise<readonly JsonObject[]> {
  const content = readYamlText(await readSourceText(folder, path));
  if (Array.isArray(content)) return content.map((one: Json) => unmarshal('Replacement', one));
  if (isJsonObject(content)) return [unmarshal('Replacement', content)];
  throw new KubectlError(`unsupported replacement type encountered within replacement path: ${reflectKind(content)}`);
}

/** Cf. Go reflect.Kind. */
function reflectKind(value: Json): string {
  if (value === null) return 'invalid';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'float64';
}

function replace(set: ResourceSet, replacement: JsonObject): void {
  const { source, sourceValue, targets } = replacement;
  const hasValue = typeof sourceValue === 'string';
  if ((!hasValue && !isJsonObject(source)) || !Array.isArray(targets))
    throw new KubectlError('replacements must specify a source and at least one target');
  if (hasValue && isJsonObject(source)) throw new KubectlError('value and resource selectors are mutually exclusive');
  const value = hasValue ? sourceValue : sourceOf(set, recordAt(replacement, 'source'));
  for (const target of objectsAt(replacement, 'targets')) replaceTarget(set, target, value);
}

/** The value of a field, or a part of it. @throws KubectlError */
function sourceOf(set: ResourceSet, source: JsonObject): Json {
  const found = set.resources.filter((resource) => isSelectedBy(set, resource, source));
  const shown = formatId(selectorId(source)) + (textAt(source, 'fieldPath') === '' ? '' : `:${textAt(source, 'fieldPath')}`);
  if (found.length > 1) throw new KubectlError(`multiple matches for selector ${shown}`);
  const [resource] = found;
  if (!resource) throw new KubectlError(`nothing selected by ${shown}`);
  const path = textAt(source, 'fieldPath') || 'metadata.name';
  const [value] = fieldsAt(resource.object, splitFieldPath(path));
  if (value === undefined || value === null)
    throw new KubectlError(`fieldPath \`${path}\` is missing for replacement source ${formatId(selectorId(source))}`);
  const options = recordAt(source, 'options');
  const delimiter = textAt(options, 'delimiter');
  if (delimiter === '') return value;
  if (typeof value === 'object') throw new KubectlError('delimiter option can only be used with scalar nodes');
  const [parts, index] = [String(value).split(delimiter), Number(options['index'] ?? 0)];
  const part = parts[index];
  if (part === undefined) throw new KubectlError(`options.index ${index} is out of bounds for value ${String(value)}`);
  return part;
}

function isSelectedBy({ product }: ResourceSet, { ids }: Resource, selector: JsonObject): boolean {
  const wanted = selectorId(selector);
  return ids.some(
    (id) =>
      (wanted.name === '' || wanted.name === id.name) &&
      (wanted.namespace === '' || effectiveNamespace(wanted, product) === effectiveNamespace(id, product)) &&
      isSelected(id, wanted),
  );
}

function replaceTarget(set: ResourceSet, target: JsonObject, value: Json): void {
  const { select } = target;
  if (!isJsonObject(select)) throw new KubectlError('target must specify resources to select');
  const rejected = objectsAt(target, 'reject');
  const paths = textsAt(target, 'fieldPaths').length > 0 ? textsAt(target, 'fieldPaths') : ['metadata.name'];
  for (const resource of set.resources) {
    if (!matchesMetadata(resource, select) || !isSelectedBy(set, resource, select)) continue;
    if (rejected.some((one) => isRejected(set, resource, one))) continue;
    for (const path of paths) resource.object = withValue(resource.object, path, { value, options: recordAt(target, 'options') });
  }
}

/** A selector rejects by its id, if it has one, and by its labels and annotations, if it has those. */
function isRejected(set: ResourceSet, resource: Resource, selector: JsonObject): boolean {
  const hasId = Object.values(selectorId(selector)).some((text) => text !== '');
  const hasMetadata = textAt(selector, 'labelSelector') !== '' || textAt(selector, 'annotationSelector') !== '';
  return (hasId && isSelectedBy(set, resource, selector)) || (hasMetadata && matchesMetadata(resource, selector));
}

interface NewValue {
  readonly value: Json;
  readonly options: JsonObject;
}

/** @throws KubectlError when the object has no such field, unless `create` is set */
function withValue(object: JsonObject, path: string, { value, options }: NewValue): JsonObject {
  const creates = options['create'] === true;
  let count = 0;
  const change = (before: Json | undefined): Json => {
    count++;
    return combined(before, value, options);
  };
  const changed = updateAt(object, splitFieldPath(path), change, creates) as JsonObject;
  if (count === 0)
    throw new KubectlError(`unable to find ${creates ? 'or create ' : ''}field ${JSON.stringify(path)} in replacement target`);
  return changed;
}

/** Replaces a scalar, or one part of it, by the text of the value in the type of the scalar. `before` is undefined for a created one. */
function combined(before: Json | undefined, value: Json, options: JsonObject): Json {
  const delimiter = textAt(options, 'delimiter');
  if (delimiter === '') {
    if (before === undefined) return typeof value === 'string' ? resolveScalar(value) : value;
    return isScalar(before) && isScalar(value) ? withType(before, String(value)) : value;
  }
  if (before !== undefined && !isScalar(before)) throw new KubectlError('delimiter option can only be used with scalar nodes');
  const [parts, index] = [String(before ?? '').split(delimiter), Number(options['index'] ?? 0)];
  if (index < 0) parts.unshift(String(value));
  else if (index >= parts.length) parts.push(String(value));
  else parts[index] = String(value);
  const text = parts.join(delimiter);
  return before === undefined ? resolveScalar(text) : withType(before, text);
}

/** A created scalar has the type that YAML gives to its text. */
function resolveScalar(text: string): Json {
  if (/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(text)) return JSON.parse(text) as Json;
  return text;
}

/** The text as a scalar of the type of the one that it replaces. @throws KubectlError */
function withType(before: string | number | bigint | boolean, text: string): Json {
  if (typeof before === 'string') return text;
  if (typeof before === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (typeof before !== 'boolean' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const type = typeof before === 'boolean' ? 'bool' : Number.isInteger(before) ? 'int' : 'float';
  throw new KubectlError(`map[string]interface {}(nil): yaml: cannot decode !!str \`${text}\` as a !!${type}`);
}

/** Splits at dots, but not in brackets or after a backslash. Cf. kyaml SmarterPathSplitter. */
function splitFieldPath(path: string): readonly string[] {
  const parts = path.match(/(?:\\\.|\[[^\]]*\]|[^.])+/g) ?? [];
  return parts.map((part) => part.replaceAll('\\.', '.'));
}

/** The values at a path of names, indexes, `*` and `[name=value]`. */
function fieldsAt(value: Json, path: readonly string[]): readonly Json[] {
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  return childrenAt(value, first).flatMap((child) => fieldsAt(child, rest));
}

function childrenAt(value: Json, part: string): readonly Json[] {
  if (Array.isArray(value)) return indexesOf(value, part).flatMap((index) => value[index] ?? []);
  const member = isJsonObject(value) ? value[unquoted(part)] : undefined;
  return member === undefined ? [] : [member];
}

/** `[a.b/c]` is the member `a.b/c`. */
function unquoted(part: string): string {
  return part.replace(/^\[([^=]*)\]$/, '$1');
}

function indexesOf(list: readonly Json[], part: string): readonly number[] {
  if (part === '*') return [...list.keys()];
  if (/^\d+$/.test(part)) return Number(part) < list.length ? [Number(part)] : [];
  const [, name, wanted] = /^\[([^=]*)=(.*)\]$/.exec(part) ?? [];
  if (name === undefined) return [];
  return [...list.keys()].filter((index) => {
    const item = list[index];
    return name === '' ? String(item) === wanted : isJsonObject(item) && String(item[name]) === wanted;
  });
}

/** Changes the values at a path; `creates`: also missing ones. */
export function updateAt(value: Json, path: readonly string[], change: (before: Json | undefined) => Json, creates: boolean): Json {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    const indexes = indexesOf(value, first);
    if (indexes.length === 0 && creates) return [...value, ...createdItems(value, first, rest, change)];
    return value.map((item, index) => (indexes.includes(index) ? updateAt(item, rest, change, creates) : item));
  }
  if (!isJsonObject(value)) return value;
  const name = unquoted(first);
  const member = value[name];
  if (member !== undefined) return { ...value, [name]: updateAt(member, rest, change, creates) };
  if (!creates || first === '*') return value;
  const created = rest.length === 0 ? change(undefined) : updateAt(isListPart(rest[0] ?? '') ? [] : {}, rest, change, creates);
  return { ...value, [name]: created };
}

function isListPart(part: string): boolean {
  return /^\[[^=]*=.*\]$|^\d+$/.test(part);
}

/** A new item of a list: with the member that the path selects by, or at the end. */
function createdItems(
  list: readonly Json[],
  part: string,
  rest: readonly string[],
  change: (before: Json | undefined) => Json,
): readonly Json[] {
  const [, name, wanted] = /^\[([^=]*)=(.*)\]$/.exec(part) ?? [];
  if (name !== undefined && name !== '') return [updateAt({ [name]: wanted ?? '' }, rest, change, true)];
  return part === String(list.length) ? [rest.length === 0 ? change(undefined) : updateAt({}, rest, change, true)] : [];
}
