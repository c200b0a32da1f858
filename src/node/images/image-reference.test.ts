import { expect, test } from 'vitest';
import { imageReferenceError, parseImageReference } from './image-reference.ts';

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['bitnami/redis', 'docker.io/bitnami/redis:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['localhost/a', 'localhost/a:latest'],
  ['registry.k8s.io/e2e-test-images/agnhost:2.53', 'registry.k8s.io/e2e-test-images/agnhost:2.53'],
  ['host:5000/a/b__c', 'host:5000/a/b__c:latest'],
  ['[2001:db8::1]:5000/a', '[2001:db8::1]:5000/a:latest'],
  ['Host/a', 'Host/a:latest'],
  [`nginx@sha256:${'a'.repeat(64)}`, `docker.io/library/nginx@sha256:${'a'.repeat(64)}`],
  ['', undefined],
  ['NGINX', undefined],
  ['nginx:', undefined],
  ['nginx:a b', undefined],
  ['a//b', undefined],
  ['a..b', undefined],
  ['nginx@sha256:xyz', undefined],
  ['-host/a', undefined],
])('%s', (text, full) => {
  expect(parseImageReference(text)?.full).toBe(full);
});

// Errors of distribution/reference v0.6.0 ParseNormalizedNamed.
test.each([
  ['nginx:1.29', undefined],
  ['NGINX:1', 'invalid reference format: repository name (library/NGINX) must be lowercase'],
  ['example.com/My/App:V1', 'invalid reference format: repository name (My/App) must be lowercase'],
  ['a:b/C', 'invalid reference format: repository name (C) must be lowercase'],
  ['Nginx@SHA256:1', 'invalid reference format: repository name (library/Nginx@SHA256) must be lowercase'],
  ['nginx:1@SHA256:1', 'invalid reference format'],
  ['example.com:80/a:b/C', 'invalid reference format'],
  ['a/b@c@d:E', 'invalid reference format'],
  ['nginx:', 'invalid reference format'],
  ['a b', 'invalid reference format'],
  ['/nginx', 'invalid reference format'],
  ['f'.repeat(64), `invalid repository name (${'f'.repeat(64)}), cannot specify 64-byte hexadecimal strings`],
  [`a/${'b'.repeat(254)}`, 'repository name must not be more than 255 characters'],
  [`nginx@sha256:${'a'.repeat(32)}`, 'invalid checksum digest length'],
  [`nginx@sha256:${'A'.repeat(64)}`, 'invalid checksum digest format'],
  [`nginx@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
])('error of %s', (text, error) => {
  expect(imageReferenceError(text)).toBe(error);
});
