import { base64ToBytes } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** A file of a projected volume. */
export interface PayloadFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly uid?: number;
}

/** The files of a projected volume by their path. */
export type Payload = Map<string, PayloadFile>;

/** The content of a config map or secret. */
export type KeyedContent = ReadonlyMap<string, Uint8Array>;

export function contentOfConfigMap({ data = {}, binaryData = {} }: corev1.ConfigMap): KeyedContent {
  const encoder = new TextEncoder();
  return new Map([
    ...Object.entries(data).map(([key, text]) => [key, encoder.encode(text)] as const),
    ...Object.entries(binaryData).map(([key, text]) => [key, decode(text)] as const),
  ]);
}

export const contentOfSecret = ({ data = {} }: corev1.Secret): KeyedContent =>
  new Map(Object.entries(data).map(([key, text]) => [key, decode(text)]));

const decode = (text: string): Uint8Array => base64ToBytes(text) ?? new Uint8Array();

/** Adds the keys of an object, or the selected ones under their paths. Missing keys of optional references are left out. */
export function addKeys(
  payload: Payload,
  content: KeyedContent,
  items: readonly corev1.KeyToPath[] | undefined,
  defaultMode: number,
): void {
  if (!items || items.length === 0) {
    for (const [key, bytes] of content) payload.set(key, { bytes, mode: defaultMode });
    return;
  }
  for (const { key, path, mode = defaultMode } of items) {
    const bytes = content.get(key);
    if (bytes) payload.set(cleanPath(path), { bytes, mode });
  }
}

export const cleanPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
