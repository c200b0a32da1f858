import { msg, str } from '@lit/localize';
import { isJsonObject, isProductName, type JsonObject, type ProductName } from '../../meta/index.ts';

/** The content of a link, sufficient to recreate the cluster. */
export interface SharedCluster {
  readonly name: string;
  /** Manifests that can be applied. */
  readonly objects: readonly JsonObject[];
  /** The API group names of the cluster. Links of earlier releases have none. */
  readonly names?: ProductName;
  /** Text files of the home directory, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The route to open: `#/o/apps/v1/deployments`. */
  readonly view?: string;
}

/** A link or file that cannot be opened. The message is shown to the user. */
export class LinkError extends Error {}

/** Chat tools truncate longer URLs. */
export const linkMaxLength = 2_000;
const objectsMax = 5_000;

/** Rejects keys that would change a prototype. */
export function rejectUnsafeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw new LinkError(msg(str`Not opened: it contains a field named ${key}.`));
  return value;
}

/** @throws LinkError */
export function parseShared(value: unknown): SharedCluster {
  const { name, objects, names, files, view } = isJsonObject(value) ? value : {};
  if (!Array.isArray(objects) || objects.length > objectsMax || !objects.every(isManifest)) {
    throw new LinkError(msg('The content is not a list of objects with apiVersion, kind and name.'));
  }
  const texts = isJsonObject(files) ? Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.slice(0, 60) : msg('Shared', { desc: 'the name of a shared cluster' }),
    objects,
    ...(isProductName(names) ? { names } : {}),
    ...(texts.length > 0 ? { files: Object.fromEntries(texts) } : {}),
    ...(typeof view === 'string' && /^#\/[\w/?=&%.-]*$/.test(view) ? { view } : {}),
  };
}

function isManifest(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value['apiVersion'] !== 'string' || typeof value['kind'] !== 'string') return false;
  return isJsonObject(value['metadata']) && typeof value['metadata']['name'] === 'string';
}
