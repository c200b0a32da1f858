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
  readonly #groups = new Map<string, { readonly plugins: ReadonlySet<string>; readonly pods: Map<string, QueuedPod> }>();
  /** The name of the group by the key of the pod. */
  readonly #groupOf = new Map<string, string>();

  get size(): number {
    return this.#groupOf.size;
  }

  has(key: string): boolean {
    return this.#groupOf.has(key);
  }

  get(key: string): QueuedPod | undefined {
    return this.#groups.get(this.#groupOf.get(key) ?? '')?.pods.get(key);
  }

  /** Adds a pod, or moves it to the group of the plugins that it has now. */
  set(queued: QueuedPod): void {
    const { info, unschedulablePlugins, pendingPlugins } = queued;
    const plugins = new Set([...unschedulablePlugins, ...pendingPlugins]);
    const name = [info.pod.spec.schedulerName ?? '', ...[...plugins].sort()].join(' ');
    if (this.#groupOf.get(info.key) !== name) this.delete(info.key);
    this.#groupOf.set(info.key, name);
    const group = this.#groups.get(name) ?? { plugins, pods: new Map() };
    this.#groups.set(name, group);
    group.pods.set(info.key, queued);
  }

  delete(key: string): void {
    const name = this.#groupOf.get(key);
    const group = name === undefined ? undefined : this.#groups.get(name);
    if (name === undefined || !group) return;
    this.#groupOf.delete(key);
    group.pods.delete(key);
    if (group.pods.size === 0) this.#groups.delete(name);
  }

  /** A copy, so that pods may be removed meanwhile. */
  groups(): readonly RejectedPods[] {
    return [...this.#groups.values()];
  }

  /** A copy. */
  list(): readonly QueuedPod[] {
    return this.groups().flatMap(({ pods }) => [...pods.values()]);
  }
}
