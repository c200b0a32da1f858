import type { QueuedPod } from '../framework/plugin.ts';

/** Unschedulable pods of one scheduler which the same plugins rejected. */
export interface RejectedPods {
  /** Empty after an error. */
  readonly plugins: ReadonlySet<string>;
  /** By their keys. */
  readonly pods: ReadonlyMap<string, QueuedPod>;
}

/**
 * The unschedulable pods, grouped by the plugins that rejected them: an event is compared with the registrations of plugins once for a
 * group, since thousands of pods may wait for the same plugin.
 */
export class UnschedulablePods {
  /** By scheduler and plugins. Empty ones stay: there are few combinations. */
  readonly #groups = new Map<string, { readonly plugins: ReadonlySet<string>; readonly pods: Map<string, QueuedPod> }>();
  /** The pods of the group by the key of each of them. */
  readonly #podsOf = new Map<string, Map<string, QueuedPod>>();

  get size(): number {
    return this.#podsOf.size;
  }

  get(key: string): QueuedPod | undefined {
    return this.#podsOf.get(key)?.get(key);
  }

  /** Adds a pod, or moves it to the group of the plugins that it has now. */
  set(queued: QueuedPod): void {
    const { info, unschedulablePlugins, pendingPlugins } = queued;
    const plugins = new Set([...unschedulablePlugins, ...pendingPlugins]);
    const name = String([info.pod.spec.schedulerName, ...[...plugins].sort()]);
    const group = this.#groups.get(name) ?? { plugins, pods: new Map() };
    this.#groups.set(name, group);
    if (this.#podsOf.get(info.key) !== group.pods) this.delete(info.key);
    this.#podsOf.set(info.key, group.pods);
    group.pods.set(info.key, queued);
  }

  delete(key: string): void {
    this.#podsOf.get(key)?.delete(key);
    this.#podsOf.delete(key);
  }

  /** A copy, so that pods may be moved meanwhile. */
  groups(): readonly RejectedPods[] {
    return [...this.#groups.values()];
  }

  /** A copy, too. */
  list(): readonly QueuedPod[] {
    return this.groups().flatMap(({ pods }) => [...pods.values()]);
  }
}
