import { expect, test } from 'vitest';
import { productNamed } from '../../../meta/index.ts';
import { createCatalog } from '../../catalog.ts';
import { createInternalFormatter } from './internal-formatter.ts';

const internal = createInternalFormatter(createCatalog(productNamed('kubernetes')).type);

test('a struct shows all its fields by the names and in the order of upstream', () => {
  expect(JSON.stringify(internal.value({ source: { persistentVolumeName: 'a' } }, 'storage/v1.VolumeAttachmentSpec'))).toBe(
    '{"Attacher":"","Source":{"PersistentVolumeName":"a","InlineVolumeSpec":null},"NodeName":""}',
  );
});

test('the metadata of a template stands in the template itself, in its JSON form', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { devices: {} } };
  expect(JSON.stringify(internal.value(template, 'resource/v1.ResourceClaimTemplateSpec'))).toBe(
    '{"labels":{"a":"b"},"Spec":{"Devices":{"Requests":null,"Constraints":null,"Config":null}}}',
  );
});

test('what a pod shares with its host is part of its security context', () => {
  const spec = internal.value({ hostNetwork: true, securityContext: { runAsUser: 1 } }, 'core/v1.PodSpec');
  expect(spec).toMatchObject({ SecurityContext: { HostNetwork: true, HostPID: false, HostUsers: null, RunAsUser: 1 } });
  expect(spec).not.toHaveProperty('HostNetwork');
});

test('a difference has three lines around each change, and a hunk for each that is far from the others', () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10 };
  expect(internal.difference(before, { ...before, a: 0, j: [1] })).toBe(
    '@@ -1,5 +1,5 @@\n {\n- "a": 1,\n+ "a": 0,\n  "b": 2,\n  "c": 3,\n  "d": 4,\n@@ -8,5 +8,7 @@\n  "g": 7,\n  "h": 8,\n  "i": 9,\n- "j": 10\n+ "j": [\n+  1\n+ ]\n }\n',
  );
  expect(internal.difference(before, before)).toBe('');
});
