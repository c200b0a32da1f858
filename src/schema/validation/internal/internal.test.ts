import { expect, test } from 'vitest';
import { productByName } from '../../../meta/index.ts';
import { createCatalog } from '../../catalog.ts';
import { createInternalFormatter } from './internal-formatter.ts';

const internal = createInternalFormatter(createCatalog(productByName('kubernetes')).type);

test('shows all fields of a struct with the names and order of upstream', () => {
  expect(JSON.stringify(internal.value({ source: { persistentVolumeName: 'a' } }, 'storage/v1.VolumeAttachmentSpec'))).toBe(
    '{"Attacher":"","Source":{"PersistentVolumeName":"a","InlineVolumeSpec":null},"NodeName":""}',
  );
});

test('embeds the metadata of a template in its JSON form', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { devices: {} } };
  expect(JSON.stringify(internal.value(template, 'resource/v1.ResourceClaimTemplateSpec'))).toBe(
    '{"labels":{"a":"b"},"Spec":{"Devices":{"Requests":null,"Constraints":null,"Config":null}}}',
  );
});

test('moves host namespaces of a pod to its security context', () => {
  const spec = internal.value({ hostNetwork: true, securityContext: { runAsUser: 1 } }, 'core/v1.PodSpec');
  expect(spec).toMatchObject({ SecurityContext: { HostNetwork: true, HostPID: false, HostUsers: null, RunAsUser: 1 } });
  expect(spec).not.toHaveProperty('HostNetwork');
});

test('a diff has three lines of context and separate hunks for distant changes', () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10 };
  expect(internal.difference(before, { ...before, a: 0, j: [1] })).toBe(
    '@@ -1,5 +1,5 @@\n {\n- "a": 1,\n+ "a": 0,\n  "b": 2,\n  "c": 3,\n  "d": 4,\n@@ -8,5 +8,7 @@\n  "g": 7,\n  "h": 8,\n  "i": 9,\n- "j": 10\n+ "j": [\n+  1\n+ ]\n }\n',
  );
  expect(internal.difference(before, before)).toBe('');
});

test('amounts are equal by value, and only where the type has amounts', () => {
  const claim = (storage: string): object => ({ resources: { requests: { storage } } });
  const isEqual = (a: object, b: object, type: string): boolean => internal.isEqual(a as never, b as never, type);
  expect(isEqual(claim('1Gi'), claim('1073741824'), 'core/v1.PersistentVolumeClaimSpec')).toBe(true);
  expect(isEqual(claim('1k'), claim('1e3'), 'core/v1.PersistentVolumeClaimSpec')).toBe(true);
  expect(isEqual(claim('1Gi'), claim('1G'), 'core/v1.PersistentVolumeClaimSpec')).toBe(false);
  expect(isEqual({ nodeSelector: { a: '1k' } }, { nodeSelector: { a: '1000' } }, 'core/v1.PodSpec')).toBe(false);
});
