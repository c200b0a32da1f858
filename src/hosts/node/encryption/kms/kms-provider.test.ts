import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../../env/index.ts';
import { writeEncryptedObject } from './encrypted-object.ts';
import { hashOf, KmsMetrics } from './kms-metrics.ts';
import { type KmsPlugin, KmsPluginError } from './kms-plugin.ts';
import { KmsProvider } from './kms-provider.ts';

/** A plugin that encrypts by adding its key id; it fails while `failure` is set. */
class FakePlugin implements KmsPlugin {
  keyId = 'one';
  healthz = 'ok';
  version = 'v2';
  failure: string | undefined;
  readonly calls: string[] = [];

  async status(): Promise<{ version: string; healthz: string; keyId: string }> {
    this.calls.push('status');
    return { version: this.version, healthz: this.healthz, keyId: this.keyId };
  }

  async encrypt(_: string, plaintext: Uint8Array): Promise<{ keyId: string; source: Uint8Array; annotations: Map<string, Uint8Array> }> {
    this.#call('encrypt');
    return { keyId: this.keyId, source: Uint8Array.of(this.keyId.length, ...plaintext), annotations: new Map() };
  }

  async decrypt(_: string, { source }: { readonly source: Uint8Array }): Promise<Uint8Array> {
    this.#call('decrypt');
    return source.subarray(1);
  }

  close(): void {
    this.calls.push('close');
  }

  #call(name: string): void {
    this.calls.push(name);
    if (this.failure !== undefined) throw new KmsPluginError('Internal', this.failure);
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const plain = Buffer.from('plain');

async function started(plugin = new FakePlugin()) {
  const clock = createManualClock();
  const decodable: number[] = [];
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const metrics = new KmsMetrics('sha256:server');
  const provider = new KmsProvider({ name: 'kms', plugin, env, metrics, onDecodable: () => decodable.push(clock.nowMs()) });
  await provider.start();
  const samples = (name: string): unknown =>
    metrics.families().find((family) => family.name === `apiserver_envelope_encryption_${name}`)?.samples;
  return { plugin, clock, decodable, provider, samples };
}

test('encrypts with one seed of the plugin, and decrypts without calls', async () => {
  const { plugin, provider } = await started();
  const [first, second] = [provider.encrypt(plain, 'a'), provider.encrypt(plain, 'a')];
  expect(text(first)).not.toBe(text(second));
  expect([first, second].map((value) => text(provider.decrypt(value, 'a')))).toEqual(['plain', 'plain']);
  expect(() => provider.decrypt(first, 'b')).toThrow('cipher: message authentication failed');
  expect(provider.prepare(first)).toBeUndefined();
  expect(plugin.calls).toEqual(['status', 'encrypt']);
  provider.close();
  expect(plugin.calls.at(-1)).toBe('close');
});

test('another server decrypts the value after one call', async () => {
  const stored = (await started()).provider.encrypt(plain, 'a');
  const { plugin, provider } = await started();
  expect(() => provider.decrypt(stored, 'a')).toThrow('the encryption key was not decrypted');
  await Promise.all([provider.prepare(stored), provider.prepare(stored)]);
  expect(text(provider.decrypt(stored, 'a'))).toBe('plain');
  expect(plugin.calls).toEqual(['status', 'encrypt', 'decrypt']);
});

test('a new key id is adopted within a minute, and older values have another key', async () => {
  const { plugin, clock, provider } = await started();
  const stored = provider.encrypt(plain, 'a');
  expect(provider.keyOf(stored)).toBe(provider.currentKey());
  plugin.keyId = 'second';
  await clock.advance(60_000);
  expect(provider.keyOf(stored)).not.toBe(provider.currentKey());
  expect(provider.keyOf(provider.encrypt(plain, 'a'))).toBe(provider.currentKey());
  expect(text(provider.decrypt(stored, 'a'))).toBe('plain');
});

test('a source that the plugin cannot decrypt is tried again every ten seconds', async () => {
  const stored = (await started()).provider.encrypt(plain, 'a');
  const { plugin, clock, decodable, provider } = await started();
  const begun = decodable.length;
  plugin.failure = 'no luck';
  await provider.prepare(stored);
  const message = 'failed to decrypt DEK, error: rpc error: code = Internal desc = no luck';
  expect(() => provider.decrypt(stored, 'a')).toThrow(message);
  expect(provider.prepare(stored)).toBeUndefined();
  plugin.failure = undefined;
  await clock.advance(9_999);
  expect(() => provider.decrypt(stored, 'a')).toThrow(message);
  await clock.advance(1);
  expect(text(provider.decrypt(stored, 'a'))).toBe('plain');
  expect(decodable.length).toBe(begun + 1);
});

test('a check that finds the plugin healthy again retries at once', async () => {
  const stored = (await started()).provider.encrypt(plain, 'a');
  const plugin = new FakePlugin();
  plugin.failure = 'no luck';
  const { clock, provider } = await started(plugin);
  await provider.prepare(stored);
  plugin.failure = undefined;
  await clock.advance(3_000);
  expect(await provider.check()).toBeUndefined();
  expect(text(provider.decrypt(stored, 'a'))).toBe('plain');
});

test('without a seed nothing is encrypted or decrypted, until the plugin works', async () => {
  const stored = (await started()).provider.encrypt(plain, 'a');
  const plugin = new FakePlugin();
  plugin.failure = 'no luck';
  const { clock, decodable, provider } = await started(plugin);
  expect(() => provider.encrypt(plain, 'a')).toThrow('got unexpected nil transformer');
  expect(() => provider.decrypt(stored, 'a')).toThrow('got unexpected nil transformer');
  expect(decodable).toEqual([]);
  plugin.failure = undefined;
  await clock.advance(10_000);
  expect(text(provider.decrypt(provider.encrypt(plain, 'a'), 'a'))).toBe('plain');
  expect(decodable.length).toBe(1);
});

test('values are encrypted for three minutes after the last successful check', async () => {
  const { plugin, clock, provider } = await started();
  plugin.healthz = 'broken';
  plugin.keyId = '';
  await clock.advance(180_000);
  expect(text(provider.decrypt(provider.encrypt(plain, 'a'), 'a'))).toBe('plain');
  await clock.advance(1_000);
  expect(() => provider.encrypt(plain, 'a')).toThrow(
    /^encryptedDEKSource with keyID hash "sha256:\w{64}" expired at \S+Z \(current time is/,
  );
});

test.each<[Partial<FakePlugin>, string]>([
  [{ healthz: 'broken' }, 'got unexpected healthz status: broken'],
  [{ version: 'v1' }, 'expected KMSv2 API version v2, got v1'],
  [{ keyId: '' }, 'got invalid KMSv2 KeyID hash "": keyID is empty'],
  [{ version: 'v2beta1' }, 'KMSv2 API version should not change after the initial status response version v2, got v2beta1'],
])('is not healthy when the status changes by %j', async (change, problem) => {
  const { plugin, clock, provider } = await started();
  expect(await provider.check()).toBeUndefined();
  Object.assign(plugin, change);
  // A recent outcome is reused.
  expect(await provider.check()).toBeUndefined();
  await clock.advance(20_000);
  expect(await provider.check()).toBe(`kmsv2 Provider kms is not healthy, error: ${problem}`);
});

test('a rotation that fails is reported, and the seed stays', async () => {
  const { plugin, clock, provider } = await started();
  plugin.failure = 'no luck';
  plugin.keyId = 'second';
  await clock.advance(20_000);
  expect(await provider.check()).toMatch(
    /^kmsv2 Provider kms is not healthy, error: failed to rotate DEK uid="[\w-]+", useSeed=true, errState=<nil>, errGen=failed to encrypt DEK, error: rpc error: code = Internal desc = no luck, statusKeyIDHash="sha256:\w+", encryptKeyIDHash="", stateKeyIDHash="sha256:\w+", expirationTimestamp=\S+Z$/,
  );
  expect(text(provider.decrypt(provider.encrypt(plain, 'a'), 'a'))).toBe('plain');
});

test('calls and keys are counted', async () => {
  const { plugin, clock, provider, samples } = await started();
  provider.decrypt(provider.encrypt(plain, 'a'), 'a');
  provider.encrypt(plain, 'a');
  const key = { apiserver_id_hash: 'sha256:server', key_id_hash: hashOf('one'), provider_name: 'kms' };
  expect(samples('key_id_hash_total')).toEqual([
    { labels: { ...key, transformation_type: 'to_storage' }, value: 2 },
    { labels: { ...key, transformation_type: 'from_storage' }, value: 1 },
  ]);
  expect(samples('key_id_hash_status_last_timestamp_seconds')).toEqual([{ labels: key, value: clock.nowMs() / 1000 }]);
  expect(samples('dek_source_cache_size')).toEqual([{ labels: { provider_name: 'kms' }, value: 1 }]);
  plugin.keyId = '';
  await clock.advance(20_000);
  await provider.check();
  expect(samples('invalid_key_id_from_status_total')).toEqual([{ labels: { provider_name: 'kms', error: 'empty' }, value: 1 }]);
  plugin.keyId = 'second';
  plugin.failure = 'no luck';
  await clock.advance(3_000);
  await provider.check();
  const callsOf = (method: string, code: string): object => ({
    suffix: '_count',
    labels: { provider_name: 'kms', method_name: `/v2.KeyManagementService/${method}`, grpc_status_code: code },
    value: method === 'Status' ? 3 : 1,
  });
  for (const [method, code] of [
    ['Status', 'OK'],
    ['Encrypt', 'OK'],
    ['Encrypt', 'Internal'],
  ] as const)
    expect(samples('kms_operations_latency_seconds')).toContainEqual(callsOf(method, code));
});

const valid = { keyId: 'one', source: Uint8Array.of(1), annotations: new Map<string, Uint8Array>(), type: 1, data: Uint8Array.of(1) };

test.each([
  [{ ...valid, type: 7 }, 'unknown encryptedDEKSourceType: 7'],
  [{ ...valid, data: new Uint8Array() }, 'encrypted data is empty'],
  [{ ...valid, source: new Uint8Array() }, 'failed to validate encrypted DEK source: encrypted DEK source is empty'],
  [
    { ...valid, source: new Uint8Array(1_025) },
    'failed to validate encrypted DEK source: encrypted DEK source is 1025 bytes, which exceeds the max size of 1024',
  ],
  [{ ...valid, keyId: 'a'.repeat(1_025) }, 'failed to validate key id: keyID is 1025 bytes, which exceeds the max size of 1024'],
  [
    { ...valid, annotations: new Map([['a', new Uint8Array()]]) },
    'failed to validate annotations: annotations: Invalid value: "a": should be a domain with at least two segments separated by dots',
  ],
])('refuses a stored value: %j', async (object, problem) => {
  const { provider } = await started();
  const stored = writeEncryptedObject(object);
  expect(provider.prepare(stored)).toBeUndefined();
  expect(() => provider.decrypt(stored, 'a')).toThrow(problem);
});

/** As kube-apiserver 1.34.4 stored a Secret with the plugin of test/etcd/kms-plugin.ts. */
const storedByUpstream = [
  'azhzOmVuYzprbXM6djI6b25lOgqIAnjfkf0DkOj+5Ybfz2zC4RQ+wr1ezaDy7vfwcXUbcD9kpzAjVgj0i7OHQNlDivkiQnB9rS+uRAe3yo0sNmFk6QThWIWW',
  '2qlrxgjyCOplkJh3ZyQf14DDLUqDzCrBVu7K+ujHko6pJBs0+Yvdsce7xbHcJUSoI7BLew+KkfqYKCku7WY2nkPm/PhzbvF/aSh9IFV68IXn5VwjVj1Q39Ly',
  'G3YGz8NvMgvhBvC2iNKQK3gBeM5QyNL4zeIOyPIukpfq4IOlsdVxbBw/AmYPYCbtvxisOs/8E0354uOlUa8EO0Ttg9G7ym879+WA+lZl54kXfJXZDeZuklij',
  'y6oOoB4CbuLYltZdIEWABxIFa2V5LTEaJAFVDv6hElb6PZPx/Av65FGeUzQQFMnofdJ7A0Sl+yXIcqeCByIYCg9rZXkuZXhhbXBsZS5jb20SBWtleS0xKAE=',
].join('');

test('decrypts a value of the real server', async () => {
  const plugin = new FakePlugin();
  // A nonce of four bytes, and the seed XORed with the key id.
  plugin.decrypt = async (_, { source }) => source.subarray(4).map((byte, index) => byte ^ 'key-1'.charCodeAt(index % 5));
  const { provider } = await started(plugin);
  const stored = Buffer.from(storedByUpstream, 'base64').subarray('k8s:enc:kms:v2:one:'.length);
  await provider.prepare(stored);
  expect(text(provider.decrypt(stored, '/registry/secrets/default/a'))).toMatch(/^k8s\0.*Secret.*hidden/s);
});
