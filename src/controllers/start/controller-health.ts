/** The running controllers, and why some of them fail. */
export class ControllerHealth {
  readonly #failures = new Map<string, Map<string, string>>();

  /** A controller has been started, or started again. */
  started(controller: string): void {
    this.#failures.set(controller, new Map());
  }

  /** A controller does not run any more. */
  stopped(controller: string): void {
    this.#failures.delete(controller);
  }

  /** Something that a controller does failed, or succeeded again. */
  record(controller: string, item: string, error?: unknown): void {
    const failures = this.#failures.get(controller);
    if (error === undefined) failures?.delete(item);
    else failures?.set(item, String(error));
  }

  get controllers(): readonly string[] {
    return [...this.#failures.keys()];
  }

  /** Why a controller fails; undefined while it does not. */
  problemOf(controller: string): string | undefined {
    const [first] = this.#failures.get(controller) ?? [];
    return first && `${first[0]}: ${first[1]}`;
  }
}

/** Errors of the code itself, which would be panics of the real controllers: responses of the API and lost connections are not. */
export function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError;
}
