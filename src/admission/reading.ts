import { type ApiObject, type Json, type JsonObject, withMetadata } from '../meta/index.ts';

/** The struct or map under `name`; empty when there is none. */
export function partOf(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The list of structs under `name`. */
export function itemsOf(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

export function textOf(object: JsonObject | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}

export function specOf(object: ApiObject): JsonObject {
  return partOf(object, 'spec');
}

export function withSpec(object: ApiObject, changes: Readonly<Record<string, Json>>): ApiObject {
  return { ...object, spec: { ...specOf(object), ...changes } };
}

export function annotationOf(object: ApiObject, name: string): string | undefined {
  const annotations = object.metadata.annotations ?? {};
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

export function withAnnotation(object: ApiObject, name: string, value: string): ApiObject {
  return withMetadata(object, { annotations: { ...object.metadata.annotations, [name]: value } });
}
