import type { WaitingPods } from '../framework/plugin.ts';
import { type Status, unschedulable } from '../framework/status.ts';

/** Pods that wait at Permit, by UID. Cf. runtime waitingPodsMap. */
export class WaitingPodMap implements WaitingPods {
  readonly #decide = new Map<string, (status: Status | undefined) => void>();

  /** Resolves when the pod is allowed (undefined) or rejected. */
  wait(uid: string): Promise<Status | undefined> {
    return new Promise((resolve) => {
      this.#decide.set(uid, resolve);
    });
  }

  allow(uid: string): void {
    this.#end(uid, undefined);
  }

  reject(uid: string, plugin: string, message: string): boolean {
    return this.#end(uid, { ...unschedulable(message), plugin });
  }

  #end(uid: string, status: Status | undefined): boolean {
    const decide = this.#decide.get(uid);
    this.#decide.delete(uid);
    decide?.(status);
    return decide !== undefined;
  }
}
