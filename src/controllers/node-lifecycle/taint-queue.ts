/** The nodes of one zone that are to be tainted, at a limited rate. Cf. pkg/controller/nodelifecycle/scheduler RateLimitedTimedQueue. */
export class TaintQueue {
  readonly #nodes = new Set<string>();
  #perSecond = 0.1;
  /** At most one, so that the first node is tainted at once. */
  #tokens = 1;
  #updatedMs: number;

  constructor(nowMs: number) {
    this.#updatedMs = nowMs;
  }

  /** Returns whether the node was not in the queue. */
  add(node: string): boolean {
    if (this.#nodes.has(node)) return false;
    this.#nodes.add(node);
    return true;
  }

  delete(node: string): void {
    this.#nodes.delete(node);
  }

  setRate(perSecond: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#perSecond = perSecond;
  }

  /** Takes the next node that may be tainted now. */
  take(nowMs: number): string | undefined {
    this.#refill(nowMs);
    const [node] = this.#nodes;
    if (node === undefined || this.#perSecond === 0 || this.#tokens < 1) return undefined;
    this.#tokens -= 1;
    this.#nodes.delete(node);
    return node;
  }

  /** Milliseconds until the next node may be tainted; undefined when none waits. */
  nextMs(): number | undefined {
    if (this.#nodes.size === 0 || this.#perSecond === 0) return undefined;
    return Math.max(0, ((1 - this.#tokens) / this.#perSecond) * 1000);
  }

  #refill(nowMs: number): void {
    this.#tokens = Math.min(1, this.#tokens + ((nowMs - this.#updatedMs) / 1000) * this.#perSecond);
    this.#updatedMs = nowMs;
  }
}
