import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { annotationNames, newReplicaSetAnnotations, revisionOf, rolledBackAnnotations, withRevision } from './annotations.ts';
import { deploymentWith } from './deployment.test-support.ts';
import { lastRevision } from './rollback.ts';

const names = annotationNames(productByName('kubernetes'));
const { revision, revisionHistory } = names;
const ofDeployment = { team: 'red', [revision]: '7', [names.lastApplied]: '{}', [names.rollbackTo]: '1' };

test.each([
  ['of a new set', {}, { team: 'red', [revision]: '3' }],
  ['of a set that is current', { [revision]: '3' }, { team: 'red', [revision]: '3' }],
  ['of a set that is used again', { [revision]: '1' }, { team: 'red', [revision]: '3', [revisionHistory]: '1' }],
  [
    'of a set that is used for the third time',
    { [revision]: '2', [revisionHistory]: '1', team: 'blue', own: 'a' },
    { team: 'red', own: 'a', [revision]: '3', [revisionHistory]: '1,2' },
  ],
  ['with a revision that is no number', { [revision]: 'x' }, { team: 'red', [revision]: 'x' }],
])('annotations %s', (_, current, expected) => {
  const deployment = deploymentWith({}, {}, { annotations: ofDeployment });
  expect(newReplicaSetAnnotations(deployment, current, 3n, names)).toEqual(expected);
});

test('drops the oldest revisions of a long history', () => {
  const history = Array.from({ length: 500 }, (_, index) => `${1000 + index}`).join(',');
  const next = withRevision(history, '1500');
  expect([next.length <= 2_000, next.startsWith('1101,'), next.endsWith(',1499,1500')]).toEqual([true, true, true]);
});

test('a rollback restores annotations', () => {
  expect(rolledBackAnnotations(ofDeployment, { team: 'blue', [revision]: '2', [names.maxReplicas]: '4' }, names)).toEqual({
    team: 'blue',
    [revision]: '7',
    [names.lastApplied]: '{}',
    [names.rollbackTo]: '1',
  });
});

test('uses the names of the product', () => {
  const { revision: neutral, lastApplied } = annotationNames(productByName('svc'));
  expect([neutral, lastApplied]).toEqual(['deployment.svc/revision', 'kubectl.svc/last-applied-configuration']);
});

test('revisions have 64 bits', () => {
  const withRevision = (value: string) => ({ metadata: { annotations: { [revision]: value } } });
  expect(revisionOf(withRevision('3546343826724305832'), names)).toBe(3546343826724305832n);
  expect(revisionOf(withRevision('9223372036854775808'), names)).toBe(0n);
});

test('the last revision is the second highest', () => {
  expect([lastRevision([1n, 5n, 3n]), lastRevision([1n]), lastRevision([])]).toEqual([3n, 0n, 0n]);
});
