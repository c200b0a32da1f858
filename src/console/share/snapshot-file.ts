import { msg, str } from '@lit/localize';
import { isJsonObject, isProductName, type ProductName } from '../../meta/index.ts';
import { packText, unpackText } from '../learn/pack-text.ts';
import { LinkError, rejectUnsafeKeys } from './shared-cluster.ts';
import type { ClusterCopy } from './user-objects.ts';

/** A cluster as a file of gzipped JSON. */
export interface Snapshot {
  readonly name: string;
  /** The API group names of the cluster. Undefined in files of earlier releases. */
  readonly names: ProductName | undefined;
  readonly copy: ClusterCopy;
  readonly files: Readonly<Record<string, string>>;
}

const format = 'tabplane-snapshot';
const version = 1;
const unpackedMaxBytes = 20 * 1024 * 1024;

/** Omits the keys of the cluster. A new cluster creates its own. */
export function writeSnapshot({ name, names, copy, files }: Snapshot, withSecrets: boolean): Promise<Uint8Array> {
  const entries = copy.entries.filter(({ key }) => key.startsWith('/registry/') && (withSecrets || !key.startsWith('/registry/secrets/')));
  return packText(JSON.stringify({ format, version, name, names, revision: copy.revision, entries, files }));
}

/** @throws LinkError */
export async function readSnapshot(bytes: Uint8Array): Promise<Snapshot> {
  const value = await parseJson(bytes);
  if (!isJsonObject(value) || value['format'] !== format) throw new LinkError(msg('This file is not a cluster snapshot.'));
  if (value['version'] !== version) {
    const other = String(value['version']);
    throw new LinkError(msg(str`This snapshot has version ${other}, which this page does not support.`));
  }
  const { name, names, revision, entries, files } = value;
  if (typeof revision !== 'number' || !Array.isArray(entries) || !entries.every(isObjectEntry)) {
    throw new LinkError(msg('This snapshot is damaged: it contains an invalid object.'));
  }
  const texts = isJsonObject(files) ? Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [];
  return {
    name: typeof name === 'string' ? name.slice(0, 60) : msg('Imported', { desc: 'the name of a cluster from a file' }),
    names: isProductName(names) ? names : undefined,
    copy: { revision, entries: entries as unknown as ClusterCopy['entries'] },
    files: Object.fromEntries(texts.filter(([path]) => path.startsWith('/'))),
  };
}

async function parseJson(bytes: Uint8Array): Promise<unknown> {
  try {
    return JSON.parse(await unpackText(bytes, unpackedMaxBytes), rejectUnsafeKeys);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(
      error instanceof Error && /more than/.test(error.message)
        ? msg('This file expands to more than 20 MB and was not opened.')
        : msg('This file is not a snapshot, or it is damaged.'),
    );
  }
}

/** Whether the entry has an API object. */
function isObjectEntry(entry: unknown): boolean {
  if (
    !isJsonObject(entry) ||
    typeof entry['key'] !== 'string' ||
    !entry['key'].startsWith('/registry/') ||
    typeof entry['value'] !== 'string'
  )
    return false;
  try {
    const object: unknown = JSON.parse(entry['value'], rejectUnsafeKeys);
    return isJsonObject(object) && typeof object['kind'] === 'string' && isJsonObject(object['metadata']);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    return false;
  }
}
