import { isJsonObject, type JsonObject, jsonKind, recordAt, textAt } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';
import { metadataOf, setMetadata } from '../resources/info.ts';
import { printYaml } from '../yaml/printer.ts';
import { nodeText } from './field-specs.ts';
import { readYamlText, unmarshal } from './go-structs.ts';
import type { Resource } from './resource.ts';

/** Where an object comes from (`path`), or a plugin that makes or changes objects. Cf. kustomize resource.Origin. */
export type Origin = JsonObject;

const originKey = 'config.kubernetes.io/origin';
const transformationsKey = 'alpha.config.kubernetes.io/transformations';

/** The path relative to the kustomization that is built. */
export function joinOrigin(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${directory}/${path}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The origin of what a builtin plugin does for a member of the kustomization in `file`. */
export function fieldOrigin(file: string, kind: string): Origin {
  return { configuredIn: file, configuredBy: { apiVersion: 'builtin', kind } };
}

/** The origin of what the plugin does that an object configures; undefined if that of the object is not known. @throws KubectlError */
export function pluginOrigin({ object, metadata }: Resource): Origin | undefined {
  const text = annotationOf(object, originKey);
  if (text === undefined) return undefined;
  const { path } = unmarshal('resource.Origin', readYamlText(text));
  return toOrigin({ configuredIn: path, configuredBy: { ...metadata, apiVersion: object['apiVersion'], kind: object['kind'] } });
}

/** The members in the order of the Go struct, without empty ones. */
function toOrigin(value: JsonObject): Origin {
  const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
    Object.fromEntries(names.filter((name) => textAt(object, name) !== '').map((name) => [name, object[name]]));
  const configuredBy = pick(recordAt(value, 'configuredBy'), ['apiVersion', 'kind', 'name', 'namespace']);
  const hasPlugin = Object.keys(configuredBy).length > 0;
  return { ...pick(value, ['path', 'repo', 'ref', 'configuredIn']), ...(hasPlugin ? { configuredBy } : {}) };
}

/** Records the origin of an object, in an annotation as kustomize does, since patches and selectors see it. */
export function setOrigin(resource: Resource, origin: Origin): void {
  annotate(resource, originKey, formatOrigin(origin));
}

/** YAML with the members in their order. */
function formatOrigin(origin: Origin): string {
  return Object.entries(origin)
    .map(([name, value]) => printYaml({ [name]: value }))
    .join('');
}

export function hasOrigin({ object }: Resource): boolean {
  return annotationOf(object, originKey) !== undefined;
}

/** Records a change. An object without origin is one that the transformer has made. @throws KubectlError */
export function addTransformation(resource: Resource, origin: Origin): void {
  if (!hasOrigin(resource)) {
    setOrigin(resource, origin);
    return;
  }
  const before = transformationsOf(resource);
  const items = [...before, origin].map((one) => `- ${formatOrigin(one).trimEnd().replaceAll('\n', '\n  ')}\n`);
  annotate(resource, transformationsKey, items.join(''));
}

function transformationsOf({ object }: Resource): readonly Origin[] {
  const text = annotationOf(object, transformationsKey);
  if (text === undefined) return [];
  const value = readYamlText(text);
  if (Array.isArray(value)) return value.filter(isJsonObject).map(toOrigin);
  if (value === null) return [];
  throw new KubectlError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type resource.Transformations`,
  );
}

/** A generator that merges does not change the origin. */
export function restoreOrigin(resource: Resource, before: JsonObject): void {
  const origin = annotationOf(before, originKey);
  if (origin !== undefined) annotate(resource, originKey, origin);
}

function annotationOf(object: JsonObject, key: string): string | undefined {
  const value = recordAt(metadataOf(object), 'annotations')[key];
  return value === undefined ? undefined : String(value);
}

function annotate(resource: Resource, key: string, value: string): void {
  const annotations = { ...recordAt(resource.metadata, 'annotations'), [key]: value };
  resource.object = setMetadata(resource.object, { annotations });
}

/** The object without the annotations that the options leave out. The others become strings, as kustomize writes them all. */
export function withoutOrigins(object: JsonObject, options: readonly string[]): JsonObject {
  const { annotations } = metadataOf(object);
  if (annotations === undefined) return object;
  const removed = [
    ...(options.includes('originAnnotations') ? [] : [originKey]),
    ...(options.includes('transformerAnnotations') ? [] : [transformationsKey]),
  ];
  const remaining = Object.entries(isJsonObject(annotations) ? annotations : {})
    .filter(([key]) => !removed.includes(key))
    .map(([key, value]) => [key, nodeText(value)]);
  return setMetadata(object, { annotations: remaining.length > 0 ? Object.fromEntries(remaining) : undefined });
}
