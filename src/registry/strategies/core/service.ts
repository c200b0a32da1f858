import type { KindRow } from '../row.ts';

/** Addresses and ports are given by the allocator, which the registry keeps; here only what needs none. */
export const service: KindRow = {
  createOnUpdate: true,
};
