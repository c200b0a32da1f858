import { type EnvironmentSet, environments } from '../../cel/index.ts';
import type { ApiObject } from '../../meta/index.ts';
import { type Policy, type PolicyBinding, readBinding, readPolicy } from './policy.ts';

/** A policy with its bindings. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly PolicyBinding[];
}

/** The stored policies and bindings, updated by a watch. */
export class PolicyIndex {
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, PolicyBinding>();
  #environments: EnvironmentSet | undefined;
  #bound: readonly BoundPolicy[] | undefined = [];

  /** Undefined when the object was deleted. */
  updatePolicy(name: string, object: ApiObject | undefined): void {
    this.#environments ??= environments();
    if (object) this.#policies.set(name, readPolicy(object, this.#environments));
    else this.#policies.delete(name);
    this.#bound = undefined;
  }

  updateBinding(name: string, object: ApiObject | undefined): void {
    if (object) this.#bindings.set(name, readBinding(object));
    else this.#bindings.delete(name);
    this.#bound = undefined;
  }

  /** Sorted by name; upstream's order is random. */
  get bound(): readonly BoundPolicy[] {
    this.#bound ??= this.#bindPolicies();
    return this.#bound;
  }

  #bindPolicies(): readonly BoundPolicy[] {
    const bindings = byName(this.#bindings.values());
    return byName(this.#policies.values())
      .map((policy) => ({ policy, bindings: bindings.filter(({ policyName }) => policyName === policy.name) }))
      .filter((bound) => bound.bindings.length > 0);
  }
}

function byName<T extends { readonly name: string }>(all: Iterable<T>): readonly T[] {
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}
