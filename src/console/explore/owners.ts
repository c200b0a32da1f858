import { type JsonObject, objectsAt } from '../../meta/index.ts';
import type { ExplorePlace } from './place.ts';
import type { ResourceTypes } from './resource-types.ts';

export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  /** The place of the owner; undefined when the server does not have its type. */
  readonly place: Omit<ExplorePlace, 'query'> | undefined;
}

/** The owners of an object. An owner is in the same namespace or cluster-scoped. */
export function ownersOf(metadata: JsonObject, types: ResourceTypes): readonly Owner[] {
  return objectsAt(metadata, 'ownerReferences').map((reference) => {
    const [kind, name] = [String(reference['kind']), String(reference['name'])];
    const type = types.ofKind(String(reference['apiVersion']), kind);
    const namespace = type?.namespaced === true ? String(metadata['namespace'] ?? '') : '';
    const place = type === undefined ? undefined : { group: type.group, version: type.version, resource: type.name, namespace, name };
    return { kind, name, uid: String(reference['uid']), controller: reference['controller'] === true, place };
  });
}

/** The owner for the shortcut `o`: the controller, or the first owner. */
export function controllerOf(metadata: JsonObject, types: ResourceTypes): Owner['place'] {
  const owners = ownersOf(metadata, types);
  return (owners.find(({ controller }) => controller) ?? owners[0])?.place;
}
