import { expect, test } from 'vitest';
import { isPullable } from './unknown-images.ts';

test.each([
  ['run', 'docker.io', 'library/app', true],
  ['run', 'ghcr.io', 'acme/app', true],
  ['fail-short-names', 'docker.io', 'library/nginx', true],
  ['fail-short-names', 'docker.io', 'library/tomcat', true],
  ['fail-short-names', 'docker.io', 'library/app', false],
  ['fail-short-names', 'docker.io', 'acme/app', true],
  ['fail-short-names', 'ghcr.io', 'acme/app', true],
  ['fail', 'docker.io', 'library/nginx', true],
  ['fail', 'docker.io', 'library/tomcat', false],
  ['fail', 'ghcr.io', 'acme/app', false],
] as const)('unknown images %s: %s/%s can be pulled: %s', (mode, host, repository, isPulled) => {
  expect(isPullable({ host, repository, tag: '1', digest: '', full: `${host}/${repository}:1` }, mode)).toBe(isPulled);
});
