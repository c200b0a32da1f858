/** Controllers that abort together. A signal of their own for each user: one for all would exceed Node's limit of listeners. */
export class AbortGroup {
  readonly #members = new Set<AbortController>();

  /** Also aborts with the parent. */
  constructor(parent?: AbortSignal) {
    parent?.addEventListener('abort', () => this.abort(parent.reason), { once: true });
  }

  add(): AbortController {
    const member = new AbortController();
    this.#members.add(member);
    return member;
  }

  /** For members that ended by themselves. */
  remove(member: AbortController): void {
    this.#members.delete(member);
  }

  abort(reason?: unknown): void {
    for (const member of this.#members) member.abort(reason);
    this.#members.clear();
  }
}
