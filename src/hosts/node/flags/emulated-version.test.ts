import { expect, test } from 'vitest';
import { readEmulatedMinor } from './emulated-version.ts';
import { parseFlags } from './flags.ts';

test('reads the emulated version, by default the own one', () => {
  expect([[], ['1.33'], ['kube=1.31'], ['v1.34.0']].map(readEmulatedMinor)).toEqual([34, 33, 31, 34]);
  expect(parseFlags(['--emulated-version', '1.33'])).toMatchObject({ emulatedMinor: 33, idle: [] });
});

test.each([
  [['1.20'], '[emulation version 1.20 is not between [1.31, 1.34.0], minCompatibilityVersion version 1.31 is not between [1.31, 1.20]]'],
  [['1.35'], 'emulation version 1.35 is not between [1.31, 1.34.0]'],
  [['abc'], 'could not parse "abc" as version'],
  [['1.33.2'], 'patch version not allowed, got: kube=1.33.2'],
  [['foo=1.33'], 'component not registered: foo'],
  [['1.33', 'kube=1.32'], 'duplicate version flag, kube=1.33 and kube=1.32'],
])('refuses %s as kube-apiserver does', (values, message) => {
  expect(() => readEmulatedMinor(values)).toThrow(message);
});
