import type { Clock, Log } from '../../env/index.ts';
import { type EntryUpdate, keyPrefix, type ObjectStore, objectKey, watchEntries } from '../../registry/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { BootstrapObject } from './bootstrap-objects.ts';

export interface SystemObjectsControllerOptions {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Log;
  /** Creates an object unless it exists. */
  readonly create: (object: BootstrapObject) => Promise<void>;
}

/** Delay before the real server recreates a deleted object, by collection. Other objects are recreated at its next start. */
const recreateDelayMs: Readonly<Record<string, number>> = { servicecidrs: 10_000, services: 10_000, namespaces: 60_000 };

/**
 * Starts the controller that recreates deleted bootstrap objects. The returned function stops it.
 * Cf. pkg/controlplane/controller/systemnamespaces and kubernetesservice.
 */
export async function startSystemObjectsController(
  own: readonly BootstrapObject[],
  parts: SystemObjectsControllerOptions,
): Promise<() => void> {
  const { store, catalog, clock, log, create } = parts;
  const waiting = new Map<string, () => void>();
  const stops: (() => void)[] = [];
  for (const [name, ms] of Object.entries(recreateDelayMs)) {
    const objects = own.filter(({ collection }) => collection.endsWith(`/${name}`));
    const resource = objects[0] && catalog.resourceOfKind(String(objects[0].object['apiVersion']), String(objects[0].object['kind']));
    if (!resource) continue;
    const byKey = new Map(objects.map((one) => [objectKey(resource, ...namespacedNameOf(one)), one]));
    const onEntry = ({ key, entry }: EntryUpdate): void => {
      const object = byKey.get(key);
      if (!object || entry || waiting.has(key)) return;
      const recreate = (): void => {
        waiting.delete(key);
        create(object).catch((error: unknown) => log.warn('an object of the server is not made again', { key, error }));
      };
      waiting.set(key, clock.schedule(ms, recreate));
    };
    stops.push(await watchEntries(store.keySpace, keyPrefix(resource), (entries) => entries.forEach(onEntry), log));
  }
  return () => {
    for (const stop of stops) stop();
    for (const cancel of waiting.values()) cancel();
  };
}

function namespacedNameOf({ object }: BootstrapObject): [namespace: string, name: string] {
  const { name, namespace = '' } = object['metadata'] as { readonly name: string; readonly namespace?: string };
  return [namespace, name];
}
