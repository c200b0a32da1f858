import { expect, test } from 'vitest';
import { versionInfo } from './version-info.ts';

test('no member of the version is empty', () => {
  const info = versionInfo();
  expect(Object.entries(info).filter(([, value]) => value === '')).toEqual([]);
  expect(info).toMatchObject({ gitVersion: 'v1.34.4', minCompatibilityMinor: '33' });
  expect(info['gitCommit']).toMatch(/^[0-9a-f]{40}$/);
  expect(info['buildDate']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('reports an emulated version', () => {
  expect(versionInfo(33)).toMatchObject({ minor: '34', emulationMinor: '33', minCompatibilityMinor: '32' });
  expect(versionInfo(31)['minCompatibilityMinor']).toBe('31');
});
