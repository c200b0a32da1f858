import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer, tokenFile } from '../servers/start-server.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';

const secrets = '/api/v1/namespaces/default/secrets';

/** An EncryptionConfiguration whose first provider is the one given. */
function configuration(...providers: readonly string[]): string {
  return `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: [{resources: [secrets], providers: [${providers.join(', ')}]}]\n`;
}

const keyed = (type: string, name: string): string =>
  `{${type}: {keys: [{name: ${name}, secret: "${btoa('0123456789abcdef0123456789abcdef')}"}]}}`;

test.skipIf(etcdMissing)('secrets are encrypted in etcd, and an update rewrites those of an old key after a rotation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-encryption-'));
  const file = join(folder, 'encryption.yaml');
  writeFileSync(file, configuration(keyed('aescbc', 'key1'), '{identity: {}}'));
  const etcd = await EtcdCluster.start(1);
  const flags = ['--names', 'kubernetes', '--insecure', '--controllers=', '--token-auth-file', tokenFile];
  flags.push('--etcd-servers', etcd.servers.join(','), '--encryption-provider-config', file);
  const stored = (): string => etcd.etcdctl(0, 'get', '/registry/secrets/default/a', '--print-value-only').slice(0, 40);
  try {
    let server = await startServer(...flags);
    const send = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    await send('POST', secrets, { metadata: { name: 'a' }, data: { key: btoa('hidden') } });
    expect(stored()).toMatch(/^k8s:enc:aescbc:v1:key1:/);
    await server.stop();
    writeFileSync(file, configuration(keyed('secretbox', 'key2'), keyed('aescbc', 'key1'), '{identity: {}}'));
    server = await startServer(...flags);
    const secret = await send('GET', `${secrets}/a`);
    expect(secret['data']).toEqual({ key: btoa('hidden') });
    const rewritten = await send('PUT', `${secrets}/a`, secret);
    expect(rewritten['metadata']).not.toMatchObject({
      resourceVersion: (secret['metadata'] as Record<string, unknown>)['resourceVersion'],
    });
    expect(stored()).toMatch(/^k8s:enc:secretbox:v1:key2:/);
    await server.stop();
    writeFileSync(file, configuration('{identity: {}}'));
    server = await startServer(...flags);
    expect(await send('GET', `${secrets}/a`)).toMatchObject({ code: 500, message: 'Internal error occurred: no matching prefix found' });
    await server.stop();
  } finally {
    await etcd.close();
    rmSync(folder, { recursive: true });
  }
});
