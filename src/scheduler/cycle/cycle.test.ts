import { expect, test } from 'vitest';
import { unresolvable, unschedulable } from '../framework/status.ts';
import { Diagnosis, setPreFilterRefusal, truncateMessage } from './fit-error.ts';
import { nodesToFind } from './nodes-to-find.ts';

test('counts reasons, sorts them as texts and adds the message of PostFilter', () => {
  const diagnosis = new Diagnosis();
  diagnosis.set('a', unschedulable('Insufficient cpu', 'Too many pods'));
  diagnosis.set('b', unschedulable('Insufficient cpu'));
  diagnosis.setAbsent(unresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]"));
  diagnosis.postFilterMessage = 'preemption: none';
  expect(diagnosis.message(12)).toBe(
    "0/12 nodes are available: 1 Too many pods, 10 node(s) didn't satisfy plugin(s) [NodeAffinity], 2 Insufficient cpu. preemption: none",
  );
});

test('shows the refusal of PreFilter alone', () => {
  const diagnosis = new Diagnosis();
  setPreFilterRefusal(diagnosis, { ...unresolvable('no claim'), plugin: 'VolumeBinding' });
  diagnosis.postFilterMessage = 'not found';
  expect(diagnosis.message(3)).toBe('0/3 nodes are available: no claim. not found');
  expect([...diagnosis.unschedulablePlugins]).toEqual(['VolumeBinding']);
});

test('truncates long messages of events', () => {
  expect([truncateMessage('x'.repeat(1024)).length, truncateMessage('x'.repeat(1025)).slice(-6)]).toEqual([1024, 'xx ...']);
});

test.each([
  [99, undefined, 99],
  [500, undefined, 230],
  [5000, undefined, 500],
  [10_000, undefined, 500],
  [150, undefined, 100],
  [1000, 100, 1000],
  [1000, 1, 100],
])('looks for enough of %i nodes at %s %%: %i', (nodes, percentage, wanted) => {
  expect(nodesToFind(nodes, percentage)).toBe(wanted);
});
