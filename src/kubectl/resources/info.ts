import { isJsonObject, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import type { ApiResource } from '../api/discovery.ts';

/** One object that a command works on: named, read from a file, or selected. Cf. cli-runtime resource.Info. */
export interface Info {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly name: string;
  /** As read from a file or the server. */
  readonly object: JsonObject | undefined;
  /** The file it was read from: `a.yaml`, `STDIN`. */
  readonly source: string | undefined;
}

export function metadataOf(object: JsonObject | undefined): JsonObject {
  return recordAt(object, 'metadata');
}

export function nameOf(object: JsonObject | undefined): string {
  return String(metadataOf(object)['name'] ?? '');
}

export function namespaceOf(object: JsonObject | undefined): string {
  return String(metadataOf(object)['namespace'] ?? '');
}

/** A string map: labels, annotations, data. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  return isJsonObject(value) ? (value as Readonly<Record<string, string>>) : {};
}

/** Returns a copy of the object with metadata members set; undefined removes one. */
export function setMetadata(object: JsonObject, changes: Readonly<Record<string, unknown>>): JsonObject {
  const metadata = Object.entries({ ...metadataOf(object), ...changes }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: Object.fromEntries(metadata) as JsonObject };
}

/** The items of a list, each with the kind that the list implies. */
export function itemsOf(list: JsonObject): readonly JsonObject[] {
  const items = objectsAt(list, 'items');
  const kind = String(list['kind']).replace(/List$/, '');
  return items.map((item) => (item['kind'] === undefined && kind !== '' ? { apiVersion: list['apiVersion'] ?? '', kind, ...item } : item));
}
