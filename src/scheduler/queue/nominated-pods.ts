import type { Nominator } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** The pods that preemption nominated to nodes. Cf. pkg/scheduler/backend/queue nominator. */
export class NominatedPods implements Nominator {
  readonly #nodeOf = new Map<string, string>();
  readonly #pods = new Map<string, Map<string, PodInfo>>();

  podsForNode(node: string): readonly PodInfo[] {
    // Called for each node that is filtered, and mostly there are none.
    if (this.#pods.size === 0) return none;
    const pods = this.#pods.get(node);
    return pods ? [...pods.values()] : none;
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid);
  }

  /** Nominates the pod to a node, by default to the one in its status. */
  add(pod: PodInfo, node: string = pod.pod.status.nominatedNodeName ?? ''): void {
    this.remove(pod);
    if (node === '') return;
    this.#nodeOf.set(pod.uid, node);
    this.#pods.set(node, (this.#pods.get(node) ?? new Map()).set(pod.uid, pod));
  }

  remove({ uid }: Pick<PodInfo, 'uid'>): void {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#pods.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#pods.delete(node);
  }

  /** A pod that changed retains its nomination, unless its status names another node. Cf. updateNominatedPodUnlocked. */
  update(old: PodInfo, pod: PodInfo): void {
    const inMemory = this.nodeOf(old.uid);
    const [before = '', after = ''] = [old.pod.status.nominatedNodeName, pod.pod.status.nominatedNodeName];
    const retained = before === '' && after === '' ? inMemory : undefined;
    this.remove(old);
    this.add(pod, retained ?? after);
  }
}

const none: readonly PodInfo[] = [];
