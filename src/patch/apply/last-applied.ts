import { isJsonObject, type Json, type JsonObject, type Steps, setMember } from '../../meta/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames } from '../json-value.ts';
import { compare } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import type { Shape } from './shape.ts';
import { toFieldSet } from './to-field-set.ts';
import { requireTyped } from './validate.ts';

/** All annotations of an object together (cf. apimachinery validation TotalAnnotationSizeLimitB). */
const annotationsMaxBytes = 256 * 1024;

/** The configuration that a client-side apply has left in its annotation; undefined when there is none. */
export function lastAppliedText(object: JsonObject, annotation: string): string | undefined {
  const text = member(annotationsOf(object), annotation);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function annotationsOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

/**
 * Fields that were last set by client-side apply and still have its values: its successor on the server may take them without a
 * conflict (cf. managedfields lastAppliedManager). undefined when that cannot be told.
 */
export function* fieldsOfLastApplied(live: JsonObject, text: string, apiVersion: string, shape: Shape): Steps<FieldSet | undefined> {
  try {
    const last: Json = JSON.parse(text);
    if (!isJsonObject(last) || last['apiVersion'] !== apiVersion) return undefined;
    yield* requireTyped(last, shape, 'refused', 'first problem');
    const { added, modified, removed } = yield* compare(last, live, shape, 'merged');
    return (yield* toFieldSet(last, shape)).difference(modified).difference(added).difference(removed);
  } catch {
    // Whatever is wrong with an annotation that a client wrote, the conflicts stand as they are.
    return undefined;
  }
}

/** The object with the annotation brought in step with what was just applied; without it when it grows too large. */
export function withLastApplied(object: JsonObject, applied: JsonObject, annotation: string): JsonObject {
  const annotations = draftOf(annotationsOf(object));
  setMember(annotations, annotation, `${goJson(withoutAnnotation(applied, annotation))}\n`);
  const { metadata } = object;
  if (totalBytes(annotations) > annotationsMaxBytes) delete annotations[annotation];
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations } };
}

function totalBytes(annotations: JsonObject): number {
  const encoder = new TextEncoder();
  return memberNames(annotations).reduce((sum, name) => sum + encoder.encode(`${name}${String(annotations[name])}`).length, 0);
}

function withoutAnnotation(applied: JsonObject, annotation: string): JsonObject {
  const { metadata } = applied;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return applied;
  const annotations: Draft = draftOf(metadata['annotations']);
  delete annotations[annotation];
  return { ...applied, metadata: { ...metadata, annotations } };
}

/** JSON as Go writes unstructured objects: members in order of name, `<`, `>` and `&` escaped. */
function goJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (typeof value === 'bigint') return value.toString();
  if (!isJsonObject(value)) return escaped(JSON.stringify(value));
  const names = memberNames(value).sort();
  return `{${names.map((name) => `${escaped(JSON.stringify(name))}:${goJson(value[name] ?? null)}`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
