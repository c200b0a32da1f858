import { hasStatus, keyOf, type ResourceClient } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import type { discoveryv1 } from '../../schema/api/index.ts';
import { isNamespaceTerminating } from '../pods/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import type { Slice } from './new-slice.ts';
import type { SliceTracker } from './slice-tracker.ts';

export interface SliceWriterOptions {
  readonly client: ResourceClient<discoveryv1.EndpointSlice>;
  readonly tracker: SliceTracker;
  /** `Service default/web`, in errors. */
  readonly owner: string;
  /** The key of the service in the tracker. */
  readonly key: string;
  /** Whether new slices are created: those of an owner that is being deleted would be deleted with it. */
  readonly creates: boolean;
}

/** Writes changes of slices. Cf. endpointslice finalize. @throws Error with the failed write */
export async function writeSlices({ create, update, delete: obsolete }: SliceChanges, options: SliceWriterOptions): Promise<void> {
  const { client, tracker, owner, key, creates } = options;
  for (const slice of creates ? create : []) {
    try {
      tracker.update(key, await client.create(withoutEmpty(slice)));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      throw new Error(`failed to create EndpointSlice for ${owner}: ${errorMessage(error)}`);
    }
  }
  for (const slice of update) {
    try {
      tracker.update(key, await client.update(withoutEmpty(slice) as discoveryv1.EndpointSlice));
    } catch (error) {
      throw new Error(`failed to update ${slice.metadata?.name} EndpointSlice for ${owner}: ${errorMessage(error)}`);
    }
  }
  for (const slice of obsolete) {
    try {
      await client.delete(keyOf(slice));
    } catch (error) {
      if (!hasStatus(error, 404))
        throw new Error(`failed to delete ${slice.metadata.name} EndpointSlice for ${owner}: ${errorMessage(error)}`);
    }
    tracker.expectDeletion(key, slice);
  }
}

/** The slices with the time of the change that triggered their update. Cf. addTriggerTimeAnnotation. */
export function withTriggerTime(changes: SliceChanges, time: string | undefined, product: Pick<Product, 'rename'>): SliceChanges {
  const name = product.rename('endpoints.kubernetes.io/last-change-trigger-time');
  const annotate = (slice: Slice): Slice => {
    const { [name]: _, ...others } = (slice.metadata?.annotations ?? {}) as Readonly<Record<string, string>>;
    const annotations = time === undefined ? others : { ...others, [name]: time };
    return { ...slice, metadata: { ...slice.metadata, annotations } };
  };
  return { ...changes, create: changes.create.map(annotate), update: changes.update.map(annotate) };
}

function withoutEmpty(slice: Slice): object {
  return { ...slice, endpoints: slice.endpoints.length === 0 ? null : slice.endpoints };
}
