import { sortMembers, stringifyJson } from '../../meta/index.ts';
import { safeEncode } from '../pods/index.ts';

/**
 * The hash of a revision's data in the name of the revision; `collisionCount` distinguishes data with equal hashes. Cf.
 * pkg/controller/history HashControllerRevision.
 */
export function hashRevisionData(data: unknown, collisionCount: number): string {
  return safeEncode(String(fnv1(revisionBytes(data) + String(collisionCount))));
}

/** The data as stored by the real controllers, which sort members by name. */
export function revisionBytes(data: unknown): string {
  return stringifyJson(sortMembers(data));
}

/** FNV-1 with 32 bits, Go's fnv.New32. */
function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
