import type { Clock } from '../../env/index.ts';
import { formatGroupVersion, type Resource } from '../../schema/index.ts';
import type { DefinitionInformer } from './definition-informer.ts';

/** Grace period of requests in flight before the resource ends (upstream crdHandler tearDown). */
const graceMs = 1_000;

/** Notifies watches and connections when their custom resource is changed or no longer served. */
export interface ServingLifetimes {
  /** Calls `end` when the resource is changed or no longer served; the returned function unsubscribes. */
  onServingEnd(resource: Resource, end: () => void): () => void;
  stop(): void;
}

export function createServingLifetimes(definitions: DefinitionInformer, clock: Clock): ServingLifetimes {
  const held = new Map<Resource, Set<() => void>>();
  const stop = definitions.onChange(() => {
    const { catalog } = definitions.snapshot();
    for (const [resource, ends] of held) {
      if (catalog.resource(formatGroupVersion(resource), resource.name) === resource) continue;
      held.delete(resource);
      clock.schedule(graceMs, () => {
        for (const end of ends) end();
      });
    }
  });
  return {
    onServingEnd(resource, end) {
      if (!resource.custom) return () => undefined;
      const ends = held.get(resource) ?? new Set();
      held.set(resource, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && held.get(resource) === ends) held.delete(resource);
      };
    },
    stop,
  };
}
