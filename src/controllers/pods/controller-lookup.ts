import type { KubeObject, SharedInformer } from '../../client/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { controllerOf } from './controller-reference.ts';
import { isEmptySelector, labelMatcher } from './selector-matcher.ts';

export interface ControllerLookupOptions<T extends KubeObject> {
  /** The kind of the controllers: `ReplicaSet`. */
  readonly kind: string;
  readonly controllers: Pick<SharedInformer<T>, 'store'>;
  readonly selectorOf: (controller: T) => metav1.LabelSelector | null | undefined;
}

/** Finds the controllers of an object in a cache of controllers of one kind. */
export class ControllerLookup<T extends KubeObject> {
  readonly #options: ControllerLookupOptions<T>;
  readonly #controllersIn: (namespace?: string) => readonly T[];

  constructor(options: ControllerLookupOptions<T>) {
    this.#options = options;
    this.#controllersIn = namespaceLister(options.controllers.store);
  }

  /** The controller that an object refers to; undefined when it is of another kind or another object has its name. */
  ownerOf(object: Pick<KubeObject, 'metadata'>): T | undefined {
    return this.resolve(controllerOf(object), object.metadata.namespace);
  }

  /** Cf. resolveControllerRef. */
  resolve(reference: metav1.OwnerReference | undefined, namespace = ''): T | undefined {
    if (reference?.kind !== this.#options.kind) return undefined;
    const owner = this.#options.controllers.store.get(`${namespace}/${reference.name}`);
    return owner?.metadata.uid === reference.uid ? owner : undefined;
  }

  /** The controllers whose selectors match the labels of an object. Those with an empty or invalid selector match none. */
  matching({ metadata }: Pick<KubeObject, 'metadata'>): readonly T[] {
    if (Object.keys(metadata.labels ?? {}).length === 0) return [];
    return this.#controllersIn(metadata.namespace).filter((controller) => {
      const selector = this.#options.selectorOf(controller);
      return selector && !isEmptySelector(selector) && matchesIfValid(selector, metadata.labels);
    });
  }
}

function matchesIfValid(selector: metav1.LabelSelector, labels: metav1.ObjectMeta['labels']): boolean {
  try {
    return labelMatcher(selector)(labels);
  } catch {
    return false;
  }
}
