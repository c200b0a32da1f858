/** The controllers, the scheduler and the nodes of a lesson's cluster. */
export class LessonComponents {
  readonly #run: () => () => void;
  #stop: (() => void) | undefined;
  #isClosed = false;

  /** `run` starts them and returns the function that stops them. */
  constructor(run: () => () => void) {
    this.#run = run;
  }

  start(): void {
    if (!this.#isClosed) this.#stop ??= this.#run();
  }

  /** Restarts them with the new content: their caches have the old one. */
  async replaceCluster<Result>(replace: () => Promise<Result>): Promise<Result> {
    this.#stop?.();
    this.#stop = undefined;
    const result = await replace();
    this.start();
    return result;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
  }
}
