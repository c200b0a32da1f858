import { expect, test } from 'vitest';
import { resolveControllerAliases, validateControllers } from './controller-names.ts';
import { isControllerEnabled } from './is-controller-enabled.ts';

test.each([
  [['*'], 'namespace-controller', true],
  [['*'], 'token-cleaner-controller', false],
  [['*', 'tokencleaner'], 'token-cleaner-controller', true],
  [['*', '-namespace'], 'namespace-controller', false],
  [['-namespace-controller', 'namespace-controller'], 'namespace-controller', false],
  [['namespace'], 'namespace-controller', true],
  [['namespace'], 'serviceaccount-controller', false],
  [[], 'namespace-controller', false],
])('with --controllers=%j, the controller %s runs: %s', (selected, name, enabled) => {
  expect(isControllerEnabled(name, resolveControllerAliases(selected))).toBe(enabled);
});

test('rejects an unknown controller name with the message of the real controller manager', () => {
  expect(validateControllers(['*', '-deployment', 'bootstrapsigner', 'token-cleaner-controller'])).toEqual([]);
  expect(validateControllers(['nope', '-toString', '--namespace', ''])).toEqual([
    '"nope" is not in the list of known controllers',
    '"toString" is not in the list of known controllers',
    '"-namespace" is not in the list of known controllers',
    '"" is not in the list of known controllers',
  ]);
});
