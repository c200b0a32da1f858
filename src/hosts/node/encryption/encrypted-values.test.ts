import { expect, test } from 'vitest';
import { type KeyProvider, readEncryptionConfig } from '../../../cluster/index.ts';
import { productByName } from '../../../meta/index.ts';
import { decodeWtf8, encodeWtf8, unreadableReason, type ValueCodec } from '../../../storage/index.ts';
import { createEncryptedValues, Encryption } from './encrypted-values.ts';

const plainValues: ValueCodec = { encode: (_, text) => encodeWtf8(text), decode: (_, bytes) => decodeWtf8(bytes) };
const key = '/registry/secrets/default/a';

function provider(type: KeyProvider['type'], ...names: readonly string[]): KeyProvider {
  const secret = (name: string): Uint8Array => new Uint8Array(32).fill(name.length);
  return { type, keys: names.map((name) => ({ name, secret: secret(name) })) };
}

/** The values of secrets with these providers. */
function valuesOf(...providers: readonly KeyProvider[]): Required<ValueCodec> {
  const encryption = new Encryption([{ resources: ['secrets'], providers }], () => expect.fail('there is no KMS provider'));
  const values = createEncryptedValues({
    values: plainValues,
    encryption: () => encryption,
    onDecodable: () => {},
    close: () => {},
    resourceOf: (path) => ({ group: '', name: path.split('/')[2] ?? '' }),
    etcdKeyOf: (path) => path,
  });
  return values as Required<ValueCodec>;
}

test.each(['aesgcm', 'aescbc', 'secretbox'] as const)('%s encrypts with the first key and decrypts with any', (type) => {
  const values = valuesOf(provider(type, 'one'));
  const stored = values.encode(key, 'text');
  expect(Buffer.from(stored).toString('latin1')).toMatch(new RegExp(`^k8s:enc:${type}:v1:one:`));
  expect(Buffer.from(stored).includes('text')).toBe(false);
  expect(values.decode(key, stored)).toBe('text');
  const rotated = valuesOf(provider(type, 'second', 'one'));
  expect(rotated.decode(key, stored)).toBe('text');
  expect(rotated.encodingOf(key, stored)).not.toBe(rotated.currentEncoding(key));
  expect(rotated.encodingOf(key, rotated.encode(key, 'text'))).toBe(rotated.currentEncoding(key));
});

test('identity reads plain values, and leaves encrypted ones to later providers', () => {
  const stored = valuesOf(provider('aescbc', 'one')).encode(key, 'text');
  const values = valuesOf(provider('identity'), provider('aescbc', 'one'));
  expect([values.decode(key, stored), values.decode(key, encodeWtf8('plain'))]).toEqual(['text', 'plain']);
  expect(decodeWtf8(values.encode(key, 'text'))).toBe('text');
});

test('resources without a rule are stored as they are', () => {
  const values = valuesOf(provider('aescbc', 'one'));
  expect(decodeWtf8(values.encode('/registry/configmaps/default/a', 'text'))).toBe('text');
});

test('a value that no key decrypts is unreadable, with the reason of the real server', () => {
  const stored = valuesOf(provider('aesgcm', 'one')).encode(key, 'text');
  const reasonOf = (values: ValueCodec, at = key, bytes = stored): string | undefined => unreadableReason(values.decode(at, bytes));
  expect(reasonOf(valuesOf(provider('identity')))).toBe('no matching prefix found');
  expect(reasonOf(valuesOf(provider('aesgcm', 'second')))).toBe('no matching key was found for the provided AES transformer');
  // The key in etcd is authenticated.
  expect(reasonOf(valuesOf(provider('aesgcm', 'one')), '/registry/secrets/default/b')).toBe('cipher: message authentication failed');
  expect(reasonOf(valuesOf(provider('aesgcm', 'one')), key, stored.subarray(0, 30))).toBe(
    'the stored data was shorter than the required size',
  );
});

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
const product = productByName('kubernetes');

test('reads a configuration', () => {
  const content = `${head}resources: [{resources: [secrets, "*.apps"], providers: [{aescbc: {keys: [{name: a, secret: "${btoa('0123456789abcdef')}"}]}}, {identity: {}}]}]`;
  expect(readEncryptionConfig(content, 'enc.yaml', product)).toEqual([
    {
      resources: ['secrets', '*.apps'],
      providers: [
        { type: 'aescbc', keys: [{ name: 'a', secret: new TextEncoder().encode('0123456789abcdef') }] },
        { type: 'identity', keys: [] },
      ],
    },
  ]);
});

const rule = (resources: string, providers: string): string => `${head}resources: [{resources: ${resources}, providers: ${providers}}]`;
const kms = (config: string): string => rule('[secrets]', `[{kms: ${config}}]`);
const kmsPath = 'resources[0].providers[0].kms';
const parsing = 'error while parsing file: ';

test.each([
  ['', `${parsing}error while loading file: encryption provider configuration file "enc.yaml" is empty`],
  [head, `${parsing}resources: Required value: at least one resources is required`],
  [
    `${head}resource: []`,
    `${parsing}error decoding encryption provider configuration file "enc.yaml": strict decoding error: unknown field "resource"`,
  ],
  [rule('[]', '[{identity: {}}]'), `${parsing}resources[0].resources: Required value: at least one resources[0].resources is required`],
  [rule('[secrets]', '[]'), `${parsing}resources[0].providers: Required value: at least one resources[0].providers is required`],
  [
    rule('[Secrets]', '[{identity: {}}]'),
    `${parsing}resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters`,
  ],
  [
    rule('[secrets]', '[{aesgcm: {keys: [{name: a, secret: abcd}]}}]'),
    `${parsing}resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]`,
  ],
  [
    rule('[secrets]', '[{secretbox: {keys: [{name: a, secret: "!"}]}}]'),
    `${parsing}resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
  ],
  [
    kms('{apiVersion: v3, name: "a:b", endpoint: "http://a", timeout: 0s, cachesize: 3}'),
    `${parsing}[${kmsPath}.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':', ${kmsPath}.timeout: Invalid value: "0s": timeout should be a positive value, ${kmsPath}.endpoint: Invalid value: "http://a": unsupported scheme "http" for KMS provider, only unix is supported, ${kmsPath}.cachesize: Invalid value: 3: cachesize is not supported in v2, ${kmsPath}.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported]`,
  ],
  [
    kms('{apiVersion: v2, name: a, endpoint: ":a", timeout: -3s}'),
    `${parsing}[${kmsPath}.timeout: Invalid value: "-3s": timeout should be a positive value, ${kmsPath}.endpoint: Invalid value: ":a": invalid endpoint for kms provider, error: parse ":a": missing protocol scheme]`,
  ],
  [
    kms('{apiVersion: v2}'),
    `${parsing}[${kmsPath}.name: Required value: name is a mandatory field for a provider, ${kmsPath}.endpoint: Invalid value: "": endpoint is a mandatory field for a kms]`,
  ],
  [
    kms('{apiVersion: v2, name: a, endpoint: "unix:///a", timeout: abc}'),
    `${parsing}error decoding encryption provider configuration file "enc.yaml": time: invalid duration "abc"`,
  ],
  [
    kms('{apiVersion: v1, name: a, endpoint: "unix:///a", cachesize: 0}'),
    `${parsing}${kmsPath}.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable`,
  ],
  [
    kms('{name: a, endpoint: "unix:///a"}'),
    'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
  ],
  [
    rule('[secrets]', '[{kms: {apiVersion: v2, name: a, endpoint: "unix:///a"}}, {kms: {apiVersion: v2, name: a, endpoint: "unix:///b"}}]'),
    `${parsing}resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique`,
  ],
  [
    rule('[secrets]', '[{kms: {apiVersion: v2, name: a, endpoint: a}, identity: {}}]'),
    `${parsing}[resources[0].providers[0]: Invalid value: {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":{},"KMS":{"APIVersion":"v2","Name":"a","CacheSize":null,"Endpoint":"a","Timeout":"3s"}}: more than one provider specified in a single element, should split into different list elements, ${kmsPath}.endpoint: Invalid value: "a": unsupported scheme "" for KMS provider, only unix is supported]`,
  ],
  [
    rule('[secrets]', '[{}, {aescbc: {keys: [{name: a, secret: abcd}]}, secretbox: {}}]'),
    `${parsing}[resources[0].providers[0]: Invalid value: {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":null,"KMS":null}: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity, resources[0].providers[1]: Invalid value: {"AESGCM":null,"AESCBC":{"Keys":[{"Name":"a","Secret":"abcd"}]},"Secretbox":{"Keys":null},"Identity":null,"KMS":null}: more than one provider specified in a single element, should split into different list elements, resources[0].providers[1].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 3, expected one of [16 24 32]]`,
  ],
  [
    `${rule('["*.*"]', '[{identity: {}}]').slice(0, -1)}, {resources: [secrets], providers: [{identity: {}}]}]`,
    'error while building transformers: resource "secrets" is masked by earlier rule "*.*"',
  ],
])('refuses the configuration %j', (content, message) => {
  expect(() => readEncryptionConfig(content, 'enc.yaml', product)).toThrow(message);
});
