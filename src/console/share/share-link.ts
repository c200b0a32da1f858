import { msg, str } from '@lit/localize';
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { base64UrlToBytes, bytesToBase64Url, isJsonObject, isProductName, type JsonObject, type ProductName } from '../../meta/index.ts';
import { dictionary1 } from './dictionary.ts';

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
const unpackedMaxBytes = 20 * 1024 * 1024;
const objectsMax = 5_000;
/** The size is checked after each slice, since a few bytes can inflate to many. */
const sliceBytes = 512;

/** `1.<base64url(deflate-raw)>`. The version comes first so that later versions can read it. */
export function writeLink(shared: SharedCluster): string {
  const packed = deflateSync(strToU8(JSON.stringify(shared)), { level: 9, dictionary: strToU8(dictionary1) });
  return `1.${bytesToBase64Url(packed)}`;
}

/** @throws LinkError */
export function parseLink(payload: string): SharedCluster {
  const [, version, body = ''] = /^(\d+)\.([\w-]*)$/.exec(payload) ?? [];
  if (version === undefined) throw new LinkError(msg('This link is incomplete: it may have been truncated when it was sent.'));
  if (version !== '1') throw new LinkError(msg(str`This link has version ${version}, which this page does not support.`));
  let value: unknown;
  try {
    value = JSON.parse(unpack(body), rejectUnsafeKeys);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(msg('This link is damaged: it may have been truncated when it was sent.'));
  }
  return parseShared(value);
}

function unpack(body: string): string {
  const packed = base64UrlToBytes(body);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const inflate = new Inflate({ dictionary: strToU8(dictionary1) }, (chunk) => {
    bytes += chunk.length;
    chunks.push(chunk);
  });
  for (let at = 0; at < packed.length; at += sliceBytes) {
    inflate.push(packed.subarray(at, at + sliceBytes), at + sliceBytes >= packed.length);
    if (bytes > unpackedMaxBytes) throw new LinkError(msg('This link expands to more than 20 MB and was not opened.'));
  }
  return strFromU8(concatBytes(chunks, bytes));
}

function concatBytes(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

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
