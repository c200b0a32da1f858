import type { ApiObject } from '../meta/index.ts';

/**
 * The mutating plugins of one request run a second time when a webhook or policy has changed the object, so that plugins and webhooks that
 * ran before see the change. Cf. k8s.io/apiserver admission ReinvocationContext.
 */
export class Reinvocation {
  readonly #plugins = new Map<string, ReinvokedItems>();
  #isSecondRound = false;
  #isRequired = false;

  /** Whether this is the second round. */
  get isSecondRound(): boolean {
    return this.#isSecondRound;
  }

  /** Whether a second round is required. */
  get isRequired(): boolean {
    return this.#isRequired;
  }

  /** Requires a second round. */
  require(): void {
    this.#isRequired = true;
  }

  startSecondRound(): void {
    this.#isSecondRound = true;
  }

  /** The webhooks or policies of a plugin. */
  itemsOf(plugin: string): ReinvokedItems {
    const known = this.#plugins.get(plugin) ?? new ReinvokedItems();
    this.#plugins.set(plugin, known);
    return known;
  }
}

/** The webhooks or policies of a plugin that may run again, by a unique identifier. */
export class ReinvokedItems {
  readonly #invoked = new Set<string>();
  readonly #due = new Set<string>();
  /** The object when the plugin ended. */
  output: ApiObject | undefined;

  /** An item with `reinvocationPolicy: IfNeeded` has run. */
  addInvoked(id: string): void {
    this.#invoked.add(id);
  }

  /** The object has changed: the items that ran before are due again. */
  requireInvoked(): void {
    for (const id of this.#invoked) this.#due.add(id);
    this.#invoked.clear();
  }

  isDue(id: string): boolean {
    return this.#due.has(id);
  }
}
