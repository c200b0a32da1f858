import type { ApiResource } from '../../schema/api/index.ts';
import type { KubeObject, ListOptions } from '../api/index.ts';
import type { InformerFactory } from './informer-factory.ts';
import type { EventHandler, SharedInformer } from './shared-informer.ts';

/** Provides shared informers. */
export type InformerSource = Pick<InformerFactory, 'informer'>;

/** The shared informers of one user: its handlers can be removed together, and their errors do not reach the handlers of others. */
export class ScopedInformers implements InformerSource {
  readonly #shared: InformerSource;
  readonly #onError: (error: unknown) => void;
  readonly #removals: (() => void)[] = [];
  #isEnded = false;

  /** `onError` is called with the first error of a handler, after which no handler is called. */
  constructor(shared: InformerSource, onError: (error: unknown) => void) {
    this.#shared = shared;
    this.#onError = onError;
  }

  informer<T extends KubeObject>(resource: ApiResource<T>, options?: ListOptions): SharedInformer<T> {
    const shared = this.#shared.informer(resource, options);
    return {
      store: shared.store,
      synced: shared.synced,
      get hasSynced() {
        return shared.hasSynced;
      },
      addHandler: (handler) => {
        // A user that is being stopped may still be at its start.
        if (this.#isEnded) return () => {};
        const remove = shared.addHandler(this.#guard(handler));
        this.#removals.push(remove);
        return remove;
      },
    };
  }

  /** Removes all handlers. */
  end(): void {
    this.#isEnded = true;
    for (const remove of this.#removals.splice(0)) remove();
  }

  #guard<T>(handler: EventHandler<T>): EventHandler<T> {
    return {
      onAdd: (object) => this.#call(() => handler.onAdd?.(object)),
      onUpdate: (object, old) => this.#call(() => handler.onUpdate?.(object, old)),
      onDelete: (object) => this.#call(() => handler.onDelete?.(object)),
    };
  }

  #call(run: () => void): void {
    if (this.#isEnded) return;
    try {
      run();
    } catch (error) {
      this.#isEnded = true;
      this.#onError(error);
    }
  }
}
