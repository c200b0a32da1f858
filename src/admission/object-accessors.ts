import { type ApiObject, type Json, type JsonObject, recordAt, withMetadata } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';

export function podSpecOf({ spec }: Decoded<corev1.Pod>): Decoded<corev1.PodSpec> {
  return spec ?? {};
}

export function specOf(object: ApiObject): JsonObject {
  return recordAt(object, 'spec');
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

export function sameToleration(a: JsonObject, b: JsonObject): boolean {
  return ['key', 'operator', 'value', 'effect', 'tolerationSeconds'].every((member) => (a[member] ?? '') === (b[member] ?? ''));
}
