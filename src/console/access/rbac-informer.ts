import { listAndWatch } from '../../client/index.ts';
import { metadataOf } from '../../kubectl/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { errorText, isForbidden } from '../explore/api.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { Observable } from '../model-watcher.ts';
import { type Rbac, readBinding, readRole } from './rbac.ts';

const resources = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'] as const;

/** All roles and bindings, watched; or why they cannot be read. */
export class RbacInformer implements Observable {
  rbac: Rbac = { roles: [], bindings: [] };
  failure = '';
  readonly #objects = new Map<string, Map<string, JsonObject>>();
  readonly #listeners = new Set<() => void>();
  readonly #life = new AbortController();

  constructor(model: ConsoleModel) {
    const group = model.product.rename('rbac.authorization.k8s.io');
    for (const resource of resources) this.#watch(model, `/apis/${group}/v1/${resource}`, resource);
  }

  /** Whether all initial lists are complete. */
  get synced(): boolean {
    return this.#objects.size === resources.length;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#life.abort();
    this.#listeners.clear();
  }

  #watch(model: ConsoleModel, path: string, resource: (typeof resources)[number]): void {
    const stop = new AbortController();
    const key = (object: JsonObject): string => `${metadataOf(object)['namespace'] ?? ''}/${metadataOf(object)['name']}`;
    void listAndWatch(
      { api: model.internalApi, clock: model.env.clock, path },
      {
        onListed: (objects) => this.#read(resource, new Map(objects.map((object) => [key(object), object]))),
        onEvent: ({ type, object }) => {
          const some = new Map(this.#objects.get(resource));
          if (type === 'DELETED') some.delete(key(object));
          else some.set(key(object), object);
          this.#read(resource, some);
        },
        onStateChange: (state, cause) => {
          if (state !== 'waiting' || !(cause instanceof Error && 'status' in cause)) return;
          this.failure = errorText(cause);
          if (isForbidden(cause)) stop.abort();
          this.#changed();
        },
      },
      AbortSignal.any([this.#life.signal, stop.signal]),
    );
  }

  #read(resource: string, objects: Map<string, JsonObject>): void {
    this.#objects.set(resource, objects);
    const all = (...names: string[]): JsonObject[] => names.flatMap((name) => [...(this.#objects.get(name)?.values() ?? [])]);
    this.rbac = {
      roles: all('clusterroles', 'roles').map(readRole),
      bindings: all('clusterrolebindings', 'rolebindings').map(readBinding),
    };
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
