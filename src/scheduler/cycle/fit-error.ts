import type { NodeStatuses } from '../framework/plugin.ts';
import { sortedNames } from '../framework/sorted-names.ts';
import { messageOf, type Status, unresolvable } from '../framework/status.ts';

/** Why no node fits a pod. Cf. pkg/scheduler/framework Diagnosis and FitError. */
export class Diagnosis implements NodeStatuses {
  readonly #statuses = new Map<string, Status>();
  /** The status of the nodes without one of their own. */
  #absent: Status = unresolvable();
  readonly unschedulablePlugins: Set<string> = new Set();
  readonly pendingPlugins: Set<string> = new Set();
  preFilterMessage = '';
  postFilterMessage = '';

  get size(): number {
    return this.#statuses.size;
  }

  /** The statuses of the nodes that were looked at. */
  entries(): IterableIterator<[string, Status]> {
    return this.#statuses.entries();
  }

  get(node: string): Status {
    return this.#statuses.get(node) ?? this.#absent;
  }

  set(node: string, status: Status): void {
    this.#statuses.set(node, status);
    this.addPlugin(status);
  }

  setAbsent(status: Status): void {
    this.#absent = status;
  }

  addPlugin({ code, plugin = '' }: Status): void {
    if (plugin !== '') (code === 'Pending' ? this.pendingPlugins : this.unschedulablePlugins).add(plugin);
  }

  /** `0/3 nodes are available: 1 Insufficient cpu, 2 …. preemption: …`. Cf. FitError.Error. */
  message(nodeCount: number): string {
    const filters = this.preFilterMessage === '' ? this.#histogram(nodeCount) : this.preFilterMessage;
    const parts = [`0/${nodeCount} nodes are available:`, ...(filters === '' ? [] : [`${filters}.`])];
    return [...parts, ...(this.postFilterMessage === '' ? [] : [this.postFilterMessage])].join(' ');
  }

  #histogram(nodeCount: number): string {
    const counts = new Map<string, number>();
    const count = (reason: string, times: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + times);
    for (const { reasons } of this.#statuses.values()) for (const reason of reasons) count(reason, 1);
    if (this.size < nodeCount) for (const reason of this.#absent.reasons) count(reason, nodeCount - this.size);
    return sortedNames([...counts].map(([reason, times]) => `${times} ${reason}`)).join(', ');
  }
}

/** Messages of conditions and events are limited. */
const maxEventLength = 1024;

/** Cf. truncateMessage. */
export function truncateMessage(message: string): string {
  const suffix = ' ...';
  return message.length <= maxEventLength ? message : message.slice(0, maxEventLength - suffix.length) + suffix;
}

/** The message of PreFilter when it refused the pod. */
export function setPreFilterRefusal(diagnosis: Diagnosis, status: Status): void {
  diagnosis.setAbsent(status);
  diagnosis.preFilterMessage = messageOf(status);
  diagnosis.addPlugin(status);
}
