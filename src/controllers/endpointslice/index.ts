/** Slices of the endpoints of services, and what their two controllers share. */
export { endpointKey, isSameEndpoint, portsKey, storedPortsKey } from './endpoint-key.ts';
export { endpointSlices } from './endpoint-slice-controller.ts';
export type { SliceChanges } from './fill-slices.ts';
export { labelNames, type Slice, slicePrefix } from './new-slice.ts';
export { recycleSlices } from './recycle-slices.ts';
export { SliceTracker } from './slice-tracker.ts';
export { writeSlices } from './slice-writer.ts';
export { watchSlices } from './watch-slices.ts';
