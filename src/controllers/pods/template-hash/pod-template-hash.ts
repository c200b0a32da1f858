import type { corev1 } from '../../../schema/api/index.ts';
import { dumpPodTemplate } from './dump-pod-template.ts';

/**
 * The hash of a pod template in the names and labels of ReplicaSets and ControllerRevisions. The collision count gives templates with equal
 * hashes different ones. Cf. controller_utils.go ComputeHash.
 */
export function podTemplateHash(template: corev1.PodTemplateSpec, collisionCount?: number): string {
  const collision = collisionCount === undefined ? [] : littleEndian64(collisionCount);
  const hash = fnv1a32([...new TextEncoder().encode(dumpPodTemplate(template)), ...collision]);
  return safeEncode(`${hash}`);
}

/** Replaces characters so that no words result. Cf. rand.SafeEncodeString. */
export function safeEncode(text: string): string {
  return Array.from(text, (character) => safeCharacters[character.charCodeAt(0) % safeCharacters.length]).join('');
}

const safeCharacters = 'bcdfghjklmnpqrstvwxz2456789';

function littleEndian64(count: number): readonly number[] {
  return [count & 0xff, (count >>> 8) & 0xff, (count >>> 16) & 0xff, (count >>> 24) & 0xff, 0, 0, 0, 0];
}

/** FNV-1a with 32 bits. */
function fnv1a32(bytes: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
