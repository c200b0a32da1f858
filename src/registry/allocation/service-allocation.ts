import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import type { ServiceAllocator } from './service-allocator.ts';
import type { SharedLock } from './shared-lock.ts';

/**
 * Adds address allocation to the strategy of Services, except for writes to a subresource. With several servers on one store,
 * `lock` prevents them from allocating the same address concurrently.
 */
export function withServiceAllocation(
  resource: Resource,
  strategy: Strategy,
  allocator: ServiceAllocator,
  lock: SharedLock | undefined,
): Strategy {
  if (resource.group !== '' || resource.name !== 'services') return strategy;
  return {
    ...strategy,
    async allocate(next, old, context) {
      if (context.subresource !== '') return { object: next, end: async () => {} };
      const release = context.dryRun ? undefined : await lock?.acquire();
      try {
        const { object, end } = allocator.allocate(next, old, context);
        return {
          object,
          async end() {
            end();
            await release?.();
          },
        };
      } catch (error) {
        await release?.();
        throw error;
      }
    },
  };
}
