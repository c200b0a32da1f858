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

test('drops fields of disabled gates at any depth', () => {
  expect(withoutGatedFields(spec, undefined, gatedPodFields, createFeatureGates())).toEqual({
    containers: [{ name: 'a' }, { name: 'b', lifecycle: { preStop: {} } }],
    volumes: [{ name: 'v', projected: { sources: [{}, { secret: {} }] } }],
  });
});

test('retains fields of enabled gates and those that the stored object has', () => {
  const on = createFeatureGates('HostnameOverride=true,ContainerStopSignals=true,PodCertificateRequest=true');
  expect(withoutGatedFields(spec, undefined, gatedPodFields, on)).toBe(spec);
  const result = withoutGatedFields(spec, { hostnameOverride: 'old' }, gatedPodFields, createFeatureGates());
  expect(result).toMatchObject({ hostnameOverride: 'h', containers: [{ name: 'a' }, { name: 'b' }] });
});
