import { expect, test } from 'vitest';
import { createFeatureGates } from '../../meta/index.ts';
import { gatedPodFields, withoutGatedFields } from './gated-fields.ts';

const spec = {
  hostnameOverride: 'h',
  containers: [
    { name: 'a', lifecycle: { stopSignal: 'SIGINT' } },
    { name: 'b', lifecycle: { stopSignal: 'SIGINT', preStop: {} } },
  ],
  volumes: [{ name: 'v', projected: { sources: [{ podCertificate: {} }, { secret: {} }] } }],
};

test('fields of gates that are off are dropped, wherever they are', () => {
  expect(withoutGatedFields(spec, undefined, gatedPodFields, createFeatureGates())).toEqual({
    containers: [{ name: 'a' }, { name: 'b', lifecycle: { preStop: {} } }],
    volumes: [{ name: 'v', projected: { sources: [{}, { secret: {} }] } }],
  });
});

test('what the gate allows or the stored object has stays', () => {
  const on = createFeatureGates('HostnameOverride=true,ContainerStopSignals=true,PodCertificateRequest=true');
  expect(withoutGatedFields(spec, undefined, gatedPodFields, on)).toBe(spec);
  const kept = withoutGatedFields(spec, { hostnameOverride: 'old' }, gatedPodFields, createFeatureGates());
  expect(kept).toMatchObject({ hostnameOverride: 'h', containers: [{ name: 'a' }, { name: 'b' }] });
});
