import type { ApiObject } from '../../meta/index.ts';
import { type Policy, type PolicyBinding, readBinding } from './policy.ts';

/** A policy with its bindings. */
export interface BoundPolicy<P extends Policy> {
  readonly policy: P;
  readonly bindings: readonly PolicyBinding[];
}

/** The stored policies of one kind and their bindings, updated by a watch. */
export class PolicyIndex<P extends Policy> {
  readonly #policies = new Map<string, P>();
  readonly #bindings = new Map<string, PolicyBinding>();
  readonly #createReader: () => (policy: ApiObject) => P;
  #read: ((policy: ApiObject) => P) | undefined;
  #bound: readonly BoundPolicy<P>[] | undefined = [];

  /** The reader is created for the first policy: most clusters have none. */
  constructor(createReader: () => (policy: ApiObject) => P) {
    this.#createReader = createReader;
  }

  /** Undefined when the object was deleted. */
  updatePolicy(name: string, object: ApiObject | undefined): void {
    this.#read ??= this.#createReader();
    if (object) this.#policies.set(name, this.#read(object));
    else this.#policies.delete(name);
    this.#bound = undefined;
  }

  updateBinding(name: string, object: ApiObject | undefined): void {
    if (object) this.#bindings.set(name, readBinding(object));
    else this.#bindings.delete(name);
    this.#bound = undefined;
  }

  /** Sorted by name; upstream's order is random. */
  get bound(): readonly BoundPolicy<P>[] {
    this.#bound ??= this.#bindPolicies();
    return this.#bound;
  }

  #bindPolicies(): readonly BoundPolicy<P>[] {
    const bindings = byName(this.#bindings.values());
    return byName(this.#policies.values())
      .map((policy) => ({ policy, bindings: bindings.filter(({ policyName }) => policyName === policy.name) }))
      .filter((bound) => bound.bindings.length > 0);
  }
}

function byName<T extends { readonly name: string }>(all: Iterable<T>): readonly T[] {
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}
