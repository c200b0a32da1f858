import { expect, test } from 'vitest';
import { compareSemanticVersions, isSemanticVersion } from './semantic-version.ts';

test.each(['1.34.0', '0.0.0', '1.2.3-alpha.1+dirty', '1.0.0--'])('accepts %s', (text) => {
  expect(isSemanticVersion(text)).toBe(true);
});

test.each(['', '1', '1.2', '01.2.3', 'v1.2.3', '1.2.3-01', '1.2.3+'])('rejects "%s"', (text) => {
  expect(isSemanticVersion(text)).toBe(false);
});

test('sorts versions as defined by semver.org', () => {
  const ordered = ['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.10.0'];
  expect([...ordered].reverse().sort(compareSemanticVersions)).toEqual(ordered);
  expect(compareSemanticVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});
