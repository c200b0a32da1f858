import { msg } from '@lit/localize';
import { loadYamlPrinter } from '../../kubectl/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { homeDirectory } from '../model/identities.ts';
import type { ClusterList } from './cluster-list.ts';
import { LinkError } from './shared-cluster.ts';
import { readSnapshot } from './snapshot-file.ts';

const fileMaxBytes = 20 * 1024 * 1024;

/** One YAML file that can be applied. */
export async function printManifests(objects: readonly JsonObject[]): Promise<string> {
  const print = await loadYamlPrinter();
  return objects.map((object) => print(object)).join('---\n');
}

/** Opens a file in a new cluster: restores a snapshot, or applies manifests. @throws LinkError, Error */
export async function importFile(file: File, clusters: ClusterList): Promise<{ readonly model: ConsoleModel; readonly failures: string }> {
  if (file.size > fileMaxBytes) throw new LinkError(msg('This file is larger than 20 MB and was not opened.'));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = file.name.replace(/\.(snapshot\.gz|ya?ml|json)$/, '');
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const snapshot = await readSnapshot(bytes);
    return { model: await clusters.createFromCopy(snapshot, JSON.stringify(snapshot.copy), snapshot.files), failures: '' };
  }
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*(?:apiVersion|kind|metadata|---|\{|#)/m.test(text))
    throw new LinkError(msg('This file contains neither a snapshot nor manifests.'));
  return clusters.createFromText(name, `${homeDirectory}/manifests.yaml`, text);
}
