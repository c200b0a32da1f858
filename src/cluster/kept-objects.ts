import type { Clock, Log } from '../env/index.ts';
import { type FollowedEntry, followEntries, keyPrefix, type ObjectStore, objectKey } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';
import type { BootstrapObject } from './bootstrap-objects.ts';

export interface KeptObjectParts {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Log;
  /** Creates an object unless it exists. */
  readonly make: (object: BootstrapObject) => Promise<void>;
}

/** Delay before the real server recreates a deleted object, by collection. Other objects are recreated at its next start. */
const backAfterMs: Readonly<Record<string, number>> = { servicecidrs: 10_000, services: 10_000, namespaces: 60_000 };

/**
 * Starts the controller that recreates deleted bootstrap objects. The returned function stops it.
 * Cf. pkg/controlplane/controller/systemnamespaces and kubernetesservice.
 */
export async function keepOwnObjects(own: readonly BootstrapObject[], parts: KeptObjectParts): Promise<() => void> {
  const { store, catalog, clock, log, make } = parts;
  const waiting = new Map<string, () => void>();
  const ends: (() => void)[] = [];
  for (const [name, ms] of Object.entries(backAfterMs)) {
    const kept = own.filter(({ collection }) => collection.endsWith(`/${name}`));
    const resource = kept[0] && catalog.resourceOfKind(String(kept[0].object['apiVersion']), String(kept[0].object['kind']));
    if (!resource) continue;
    const byKey = new Map(kept.map((one) => [objectKey(resource, ...placeOf(one)), one]));
    const hear = ({ key, entry }: FollowedEntry): void => {
      const object = byKey.get(key);
      if (!object || entry || waiting.has(key)) return;
      const again = (): void => {
        waiting.delete(key);
        make(object).catch((error: unknown) => log.warn('an object of the server is not made again', { key, error }));
      };
      waiting.set(key, clock.schedule(ms, again));
    };
    ends.push(await followEntries(store.keySpace, keyPrefix(resource), (entries) => entries.forEach(hear), log));
  }
  return () => {
    for (const end of ends) end();
    for (const cancel of waiting.values()) cancel();
  };
}

function placeOf({ object }: BootstrapObject): [namespace: string, name: string] {
  const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
  return [namespace, name];
}
