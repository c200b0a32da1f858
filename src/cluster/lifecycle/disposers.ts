/** Functions that end the parts of a cluster. The last part that was started ends first. */
export class Disposers {
  readonly #disposers: (() => unknown)[] = [];

  /** `dispose` may return a promise. */
  add(dispose: () => unknown): void {
    this.#disposers.push(dispose);
  }

  async dispose(): Promise<void> {
    for (let next = this.#disposers.pop(); next; next = this.#disposers.pop()) await next();
  }
}
