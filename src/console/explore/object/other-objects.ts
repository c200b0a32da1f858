import { msg } from '@lit/localize';
import { itemsOf, metadataOf } from '../../../kubectl/index.ts';
import type { JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { readNamedClusters } from '../../share/named-clusters.ts';
import { createClient, metadataListAccept } from '../api.ts';
import { objectPath } from '../object-path.ts';
import type { ExplorePlace } from '../place.ts';

/** Limit of suggested names. */
const offeredMax = 200;

/** The clusters of this browser with the same API group names. The default cluster has an empty id. */
export async function listClusters({
  workspace,
  status,
  hostNames,
}: ConsoleModel): Promise<readonly (readonly [id: string, name: string])[]> {
  if (status.transport === 'remote') return [[workspace.id, workspace.name]];
  const stored = (await readNamedClusters(hostNames)).filter(({ names }) => names === workspace.names);
  const named = stored.map(({ id, name }) => [id, name] as const);
  const all = [...(workspace.names === hostNames ? [['', msg('My cluster')] as const] : []), ...named];
  return all.some(([id]) => id === workspace.id) ? all : [...all, [workspace.id, workspace.name]];
}

/** Reads an object of the same type from a cluster, by name or `namespace/name`. @throws StatusError */
export function readOtherObject(model: ConsoleModel, place: ExplorePlace, cluster: string, of: string): Promise<JsonObject> {
  return createClient(model, { cluster }).read('GET', objectPath(placeOfName(place, of)));
}

/** The names of the existing objects, for `readOtherObject`. */
export async function listNames(model: ConsoleModel, place: ExplorePlace, cluster: string): Promise<readonly string[]> {
  const accept = metadataListAccept(model);
  const query = { limit: String(offeredMax) };
  const list = await createClient(model, { cluster }).read('GET', objectPath({ ...place, namespace: '', name: '' }), { accept, query });
  return itemsOf(list).map((object) => qualifiedName(metadataOf(object)));
}

/** The name of an object, with its namespace if it has one. */
export function qualifiedName({ namespace, name }: { readonly namespace?: unknown; readonly name?: unknown }): string {
  return `${namespace ? `${namespace}/` : ''}${name}`;
}

function placeOfName(place: ExplorePlace, of: string): ExplorePlace {
  const [name = '', namespace = place.namespace] = of.split('/').reverse();
  return { ...place, namespace, name };
}
