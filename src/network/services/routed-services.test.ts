import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { createRoutedFilter } from './routed-services.ts';

test.each([
  [undefined, true],
  [{ app: 'web' }, true],
  [{ 'service.kubernetes.io/service-proxy-name': 'other' }, false],
  [{ 'service.kubernetes.io/headless': '' }, false],
])('kube-proxy implements a Service with the labels %j: %s', (labels, isRouted) => {
  const service = { metadata: { name: 'web', labels }, spec: {} } as unknown as corev1.Service;
  expect(createRoutedFilter(productByName('kubernetes'))(service)).toBe(isRouted);
});
