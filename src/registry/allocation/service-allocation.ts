import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import type { ServiceAllocator } from './service-allocator.ts';
import type { SharedLock } from './shared-lock.ts';

/**
 * The strategy of a resource, with addresses for Services; writes to a subresource get none. Where other servers give addresses from
 * the same store, `lock` keeps them from giving the same at the same time.
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
