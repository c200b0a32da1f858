import { expect, test } from 'vitest';
import { propagationFinalizers } from './delete.ts';
import type { Strategy } from './strategy.ts';

const object = (finalizers: readonly string[]) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x', finalizers } });
const strategy = (garbageCollected: boolean): Strategy => ({ garbageCollected, orphansByDefault: false }) as Strategy;

test('what the garbage collector leaves alone loses its finalizers, whatever policy is asked for', () => {
  const present = object(['foregroundDeletion', 'example.com/f']);
  expect(propagationFinalizers(present, { propagationPolicy: 'Orphan' }, strategy(false))).toEqual(['example.com/f']);
  expect(propagationFinalizers(present, { propagationPolicy: 'Orphan' }, strategy(true))).toEqual(['example.com/f', 'orphan']);
});
