import type { discoveryv1 } from '../../schema/api/index.ts';

/** Marks a slice whose deletion is expected. */
const deleted = -1;

/** The written generations of slices, by which a stale cache is detected. Cf. endpointslice/util EndpointSliceTracker. */
export class SliceTracker {
  /** By the key of the service, then by UID. */
  readonly #generations = new Map<string, Map<string, number>>();

  /** Whether the cache lacks a write of this controller. */
  isStale(service: string, cached: readonly discoveryv1.EndpointSlice[]): boolean {
    const expected = this.#generations.get(service);
    if (!expected) return false;
    const found = new Set<string>();
    for (const { metadata } of cached) {
      const { uid = '', generation = 0 } = metadata;
      const written = expected.get(uid);
      found.add(uid);
      if (written !== undefined && (written === deleted || written > generation)) return true;
    }
    return [...expected].some(([uid, generation]) => generation !== deleted && !found.has(uid));
  }

  /** Whether the state of a slice is not known to be written by this controller. */
  isForeign(service: string, { metadata }: discoveryv1.EndpointSlice): boolean {
    const written = this.#generations.get(service)?.get(metadata.uid ?? '');
    return written === undefined || (metadata.generation ?? 0) > written;
  }

  /** A slice was written. */
  update(service: string, { metadata }: discoveryv1.EndpointSlice): void {
    this.#set(service, metadata.uid ?? '', metadata.generation ?? 0);
  }

  expectDeletion(service: string, { metadata }: discoveryv1.EndpointSlice): void {
    this.#set(service, metadata.uid ?? '', deleted);
  }

  /** The cache shows that a slice is deleted; returns whether that was expected. */
  observeDeletion(service: string, { metadata }: discoveryv1.EndpointSlice): boolean {
    const expected = this.#generations.get(service);
    const written = expected?.get(metadata.uid ?? '');
    expected?.delete(metadata.uid ?? '');
    return written === deleted;
  }

  deleteService(service: string): void {
    this.#generations.delete(service);
  }

  #set(service: string, uid: string, generation: number): void {
    const expected = this.#generations.get(service) ?? new Map<string, number>();
    this.#generations.set(service, expected.set(uid, generation));
  }
}
