import { escapeHtml, isJsonObject, type Json, type JsonObject, type Steps, setMember } from '../../../meta/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames } from '../../json-value.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { compare } from '../typed/compare.ts';
import type { Shape } from '../typed/shape.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { requireTyped } from '../typed/validate.ts';

/** Limit for all annotations of an object together (cf. apimachinery validation TotalAnnotationSizeLimitB). */
const annotationsMaxBytes = 256 * 1024;

/** The configuration in the last-applied annotation of client-side apply; undefined when absent. */
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
 * Fields last set by client-side apply that still have the same values: server-side apply by kubectl may take them over without a conflict
 * (cf. managedfields lastAppliedManager). Undefined when they cannot be determined.
 */
export function* lastAppliedFields(live: JsonObject, text: string, apiVersion: string, shape: Shape): Steps<FieldSet | undefined> {
  try {
    const last: Json = JSON.parse(text);
    if (!isJsonObject(last) || last['apiVersion'] !== apiVersion) return undefined;
    yield* requireTyped(last, shape, 'refused', 'first problem');
    const { added, modified, removed } = yield* compare(last, live, shape, 'merged');
    return (yield* toFieldSet(last, shape)).difference(modified).difference(added).difference(removed);
  } catch {
    // An invalid annotation leaves the conflicts unchanged.
    return undefined;
  }
}

/** Updates the last-applied annotation after an apply; removes it when it becomes too large. */
export function withLastApplied(object: JsonObject, applied: JsonObject, annotation: string): JsonObject {
  const annotations = draftOf(annotationsOf(object));
  setMember(annotations, annotation, `${encodeGoJson(withoutAnnotation(applied, annotation))}\n`);
  const { metadata } = object;
  if (sumBytes(annotations) > annotationsMaxBytes) delete annotations[annotation];
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations } };
}

function sumBytes(annotations: JsonObject): number {
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

/** JSON as Go encodes unstructured objects: members sorted by name; `<`, `>` and `&` escaped. */
function encodeGoJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(encodeGoJson).join(',')}]`;
  if (typeof value === 'bigint') return value.toString();
  if (!isJsonObject(value)) return escapeHtml(JSON.stringify(value));
  const names = memberNames(value).sort();
  return `{${names.map((name) => `${escapeHtml(JSON.stringify(name))}:${encodeGoJson(value[name] ?? null)}`).join(',')}}`;
}
