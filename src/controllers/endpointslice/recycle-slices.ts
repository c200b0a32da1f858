import type { KubeObject } from '../../client/index.ts';
import type { discoveryv1 } from '../../schema/api/index.ts';
import { isControlledBy } from '../pods/index.ts';
import type { SliceChanges } from './fill-slices.ts';
import type { Slice } from './new-slice.ts';

/** Replaces slices that would be deleted by those that would be created: one write instead of two. Cf. endpointslice finalize. */
export function recycleSlices(changes: SliceChanges, owner: KubeObject): SliceChanges {
  const create = [...changes.create];
  const update = [...changes.update];
  const deleted: discoveryv1.EndpointSlice[] = [];
  for (const slice of changes.delete) {
    const replacement = create.at(-1);
    if (replacement && replacement.addressType === slice.addressType && isControlledBy(slice, owner)) {
      create.pop();
      update.push(withNameOf(slice, replacement));
    } else deleted.push(slice);
  }
  return { ...changes, create, update, delete: deleted };
}

function withNameOf({ apiVersion, kind, metadata }: discoveryv1.EndpointSlice, slice: Slice): Slice {
  return { apiVersion, kind, ...slice, metadata: { ...slice.metadata, ...(metadata.name === undefined ? {} : { name: metadata.name }) } };
}
