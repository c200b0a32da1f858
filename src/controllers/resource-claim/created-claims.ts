import { cacheKeyOf, type Indexer } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { resourcev1 } from '../../schema/api/index.ts';
import { owningPod } from './pod-claims.ts';

type Claim = resourcev1.ResourceClaim;

/** As the mutation cache of pkg/controller/resourceclaim. */
const limits = { count: 100, ms: 3_600_000 };

/**
 * The claims that the controller created in the last hour. They are found before the informer shows them, so that a retry creates no second
 * one, and also after they are deleted: a deleted claim is not created again.
 */
export class CreatedClaims {
  /** In the order of their creation. */
  readonly #claims = new Map<string, { readonly claim: Claim; readonly untilMs: number }>();
  readonly #store: Pick<Indexer<Claim>, 'get'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;

  constructor(store: Pick<Indexer<Claim>, 'get'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  add(claim: Claim): void {
    this.#claims.set(cacheKeyOf(claim), { claim, untilMs: this.#clock.monotonicMs() + limits.ms });
    const [oldest] = this.#claims.keys();
    if (oldest !== undefined && this.#claims.size > limits.count) this.#claims.delete(oldest);
  }

  /** Those of a pod that are not in the store. */
  ownedBy(uid: string): readonly Claim[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#claims.values()]
      .filter(({ claim, untilMs }) => untilMs > nowMs && owningPod(claim)?.uid === uid && !this.#store.get(cacheKeyOf(claim)))
      .map(({ claim }) => claim);
  }
}
