/** Allocation of values that are unique in the cluster: addresses and node ports of Services. */

export { withServiceAllocation } from './service-allocation.ts';
export { ServiceAllocator } from './service-allocator.ts';
export { type AddressRange, addressNumber, addressRange, addressText, type ServiceRanges, serviceRanges } from './service-ranges.ts';
export { serviceAddresses } from './service-spec.ts';
export { lockPrefix, SharedLock } from './shared-lock.ts';
export { watchServices } from './watch-services.ts';
