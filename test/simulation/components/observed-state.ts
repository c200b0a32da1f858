import type { KubeObject } from '../../../src/client/index.ts';
import type { Clock } from '../../../src/env/index.ts';
import type { appsv1, batchv1, corev1, policyv1 } from '../../../src/schema/api/index.ts';
import type { Change, KeySpace } from '../../../src/storage/index.ts';

/** The kinds that rules read. */
export interface ObservedKinds {
  readonly ConfigMap: corev1.ConfigMap;
  readonly ControllerRevision: appsv1.ControllerRevision;
  readonly DaemonSet: appsv1.DaemonSet;
  readonly Deployment: appsv1.Deployment;
  readonly Job: batchv1.Job;
  readonly Node: corev1.Node;
  readonly Pod: corev1.Pod;
  readonly PodDisruptionBudget: policyv1.PodDisruptionBudget;
  readonly ReplicaSet: appsv1.ReplicaSet;
  readonly ResourceQuota: corev1.ResourceQuota;
  readonly StatefulSet: appsv1.StatefulSet;
}

export type ObservedKind = keyof ObservedKinds;

/** One committed change of an object. */
export interface ObservedChange<Kind extends ObservedKind = ObservedKind> {
  readonly kind: Kind;
  readonly before: ObservedKinds[Kind] | undefined;
  /** Undefined: deleted. */
  readonly after: ObservedKinds[Kind] | undefined;
  readonly nowMs: number;
  readonly revision: number;
}

/** Checks one change at a time. @throws Violation */
export type Observer = (change: ObservedChange) => void;

/** The objects of a cluster as its watch stream shows them, change by change. */
export class ObservedState {
  /** The rule that a change has broken. */
  violation: unknown;
  /** One line for each change, with the object, for comparison of runs. */
  readonly trace: string[] = [];
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Map<string, KubeObject>>();
  readonly #byOwner = new Map<string, Map<string, KubeObject>>();
  readonly #observers: Observer[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe(observer: Observer): void {
    this.#observers.push(observer);
  }

  async follow(space: KeySpace): Promise<void> {
    await space.watch({
      prefix: '/registry/',
      after: await space.revision(),
      deliver: (changes) => {
        try {
          for (const change of changes) this.#apply(change);
        } catch (error) {
          this.violation ??= error;
        }
      },
      onError: () => {},
    });
  }

  list<Kind extends ObservedKind>(kind: Kind): readonly ObservedKinds[Kind][] {
    return [...(this.#kinds.get(kind)?.values() ?? [])] as unknown as readonly ObservedKinds[Kind][];
  }

  /** The objects of a kind that an object controls. */
  controlled<Kind extends ObservedKind>(kind: Kind, { metadata: { uid = '' } }: KubeObject): readonly ObservedKinds[Kind][] {
    return [...(this.#byOwner.get(`${kind} ${uid}`)?.values() ?? [])] as unknown as readonly ObservedKinds[Kind][];
  }

  /** All objects that rules read. */
  *all(): Generator<KubeObject> {
    for (const objects of this.#kinds.values()) yield* objects.values();
  }

  withUid<Kind extends ObservedKind>(kind: Kind, uid: string): ObservedKinds[Kind] | undefined {
    return this.list(kind).find(({ metadata }) => metadata.uid === uid);
  }

  #apply({ key, entry, previous, revision }: Change): void {
    const nowMs = this.#clock.nowMs();
    this.trace.push(`${nowMs} ${revision} ${key} ${entry?.value ?? 'deleted'}`);
    if (!observedPrefixes.test(key)) return;
    const before = previous && (JSON.parse(previous.value) as KubeObject);
    const after = entry && (JSON.parse(entry.value) as KubeObject);
    const { kind } = after ?? before ?? { kind: '' };
    const objects = this.#kinds.get(kind) ?? new Map<string, KubeObject>();
    this.#kinds.set(kind, objects);
    if (after) objects.set(key, after);
    else objects.delete(key);
    this.#index(key, before, after);
    for (const observer of this.#observers) observer({ kind, before, after, nowMs, revision } as unknown as ObservedChange);
  }

  #index(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const [from, to] = [ownerKeyOf(before), ownerKeyOf(after)];
    if (from !== undefined) this.#byOwner.get(from)?.delete(key);
    if (to === undefined || !after) return;
    const owned = this.#byOwner.get(to) ?? new Map<string, KubeObject>();
    owned.set(key, after);
    this.#byOwner.set(to, owned);
  }
}

const observedPrefixes =
  /^\/registry\/(?:[a-z.0-9]+\/)?(configmaps|controllerrevisions|daemonsets|deployments|jobs|minions|nodes|pods|poddisruptionbudgets|replicasets|resourcequotas|statefulsets)\//;

function ownerKeyOf(object: KubeObject | undefined): string | undefined {
  const owner = object?.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner && object && `${object.kind} ${owner.uid}`;
}
