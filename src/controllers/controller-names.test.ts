import { expect, test } from 'vitest';
import { controllerProblems, isControllerEnabled } from './controller-names.ts';

test.each([
  [['*'], 'namespace-controller', true],
  [['*'], 'token-cleaner-controller', false],
  [['*', 'tokencleaner'], 'token-cleaner-controller', true],
  [['*', '-namespace'], 'namespace-controller', false],
  [['-namespace-controller', 'namespace-controller'], 'namespace-controller', false],
  [['namespace'], 'namespace-controller', true],
  [['namespace'], 'serviceaccount-controller', false],
  [[], 'namespace-controller', false],
])('of %j the controller %s runs: %s', (selected, name, enabled) => {
  expect(isControllerEnabled(name, selected)).toBe(enabled);
});

test('a name that no controller has is refused in the words of the real controller manager', () => {
  expect(controllerProblems(['*', '-deployment', 'bootstrapsigner', 'token-cleaner-controller'])).toEqual([]);
  expect(controllerProblems(['nope', '-toString', '--namespace', ''])).toEqual([
    '"nope" is not in the list of known controllers',
    '"toString" is not in the list of known controllers',
    '"-namespace" is not in the list of known controllers',
    '"" is not in the list of known controllers',
  ]);
});
