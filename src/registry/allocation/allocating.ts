import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import type { ServiceAllocator } from './service-allocator.ts';

/** The strategy of a resource, with addresses for Services; writes to a subresource get none. */
export function allocating(resource: Resource, strategy: Strategy, allocator: ServiceAllocator): Strategy {
  if (resource.group !== '' || resource.name !== 'services') return strategy;
  return {
    ...strategy,
    allocate: (next, old, context) =>
      context.subresource === '' ? allocator.allocate(next, old, context) : { object: next, end: () => undefined },
  };
}
