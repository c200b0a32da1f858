import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createFeatureGates, productByName } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { createStoredValueCodec } from '../storage/stored-values.ts';
import { ServerLeases } from './server-leases.ts';

test('writes another value with each renewal, as an object that etcd stores in protobuf', async () => {
  const clock = createManualClock();
  const keySpace = createMemoryKeySpace(clock);
  const leases = new ServerLeases(keySpace);
  const key = '/registry/masterleases/192.0.2.1';
  const codec = createStoredValueCodec(productByName('kubernetes'), 'application/vnd.kubernetes.protobuf', {
    clock,
    featureGates: createFeatureGates(),
  });
  for (const generation of [1, 2, 3]) {
    await leases.renew('192.0.2.1');
    const entry = await keySpace.get(key);
    const bytes = codec.encode(key, entry?.value ?? '');
    expect(new TextDecoder().decode(bytes.slice(0, 3))).toBe('k8s');
    // The next renewal reads what the store has decoded.
    const value = codec.decode(key, bytes);
    expect(JSON.parse(value)).toMatchObject({
      kind: 'Endpoints',
      metadata: { generation },
      subsets: [{ addresses: [{ ip: '192.0.2.1' }] }],
    });
    await keySpace.commit({ key, expected: entry?.revision ?? 0, value });
  }
  expect(await leases.list()).toEqual(['192.0.2.1']);
  await leases.remove('192.0.2.1');
  await leases.remove('192.0.2.1');
  expect(await leases.list()).toEqual([]);
});
