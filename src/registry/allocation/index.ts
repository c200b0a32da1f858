/** What must be unique in the cluster: the addresses and node ports of Services. */
export { allocating } from './allocating.ts';
export type { Allocate, Allocation } from './allocation.ts';
export { followServices } from './follow-services.ts';
export { ServiceAllocator } from './service-allocator.ts';
export { type AddressRange, addressNumber, addressRange, addressText, type ServiceRanges, serviceRanges } from './service-ranges.ts';
export { serviceAddresses } from './service-spec.ts';
export { lockRoot, SharedLock } from './shared-lock.ts';
