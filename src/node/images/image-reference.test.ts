import { expect, test } from 'vitest';
import { parseImageReference } from './image-reference.ts';

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['bitnami/redis', 'docker.io/bitnami/redis:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['localhost/a', 'localhost/a:latest'],
  ['registry.k8s.io/e2e-test-images/agnhost:2.53', 'registry.k8s.io/e2e-test-images/agnhost:2.53'],
  ['host:5000/a/b__c', 'host:5000/a/b__c:latest'],
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
