import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer, tokenFile } from '../servers/start-server.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { KmsPlugin } from './kms-plugin.ts';

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

test.skipIf(etcdMissing)('secrets are encrypted with keys of a KMS plugin, and unreadable while it is down', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-kms-'));
  const [file, socket] = [join(folder, 'encryption.yaml'), join(folder, 'kms.sock')];
  writeFileSync(file, configuration(`{kms: {apiVersion: v2, name: one, endpoint: "unix://${socket}", timeout: 1s}}`, '{identity: {}}'));
  const etcd = await EtcdCluster.start(1);
  let plugin = await KmsPlugin.start(socket);
  const flags = ['--names', 'kubernetes', '--insecure', '--controllers=', '--token-auth-file', tokenFile];
  flags.push('--etcd-servers', etcd.servers.join(','), '--encryption-provider-config', file);
  const fetchFrom = (url: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' } });
  const secret = (name: string): RequestInit => ({
    method: 'POST',
    body: JSON.stringify({ metadata: { name }, data: { key: btoa('hidden') } }),
  });
  try {
    const first = await startServer(...flags);
    expect((await fetchFrom(first.url, secrets, secret('a'))).status).toBe(201);
    const stored = etcd.etcdctl(0, 'get', '/registry/secrets/default/a', '--print-value-only');
    expect(stored).toMatch(/^k8s:enc:kms:v2:one:/);
    expect(stored).not.toContain('hidden');
    // Another server reads it with one call, and the first one that server's secret.
    const calls = plugin.state.calls.length;
    const second = await startServer(...flags);
    expect(await (await fetchFrom(second.url, `${secrets}/a`)).json()).toMatchObject({ data: { key: btoa('hidden') } });
    expect(plugin.state.calls.slice(calls)).toEqual(['Status', 'Encrypt', 'Decrypt']);
    expect((await fetchFrom(second.url, secrets, secret('b'))).status).toBe(201);
    expect(await (await fetchFrom(first.url, `${secrets}/b`)).json()).toMatchObject({ data: { key: btoa('hidden') } });
    const metrics = await (await fetchFrom(second.url, '/metrics')).text();
    expect(metrics).toMatch(
      /^apiserver_encryption_config_controller_last_config_info\{apiserver_id_hash="sha256:\w+",hash="sha256:\w+"\} 1$/m,
    );
    expect(metrics).toContain('\napiserver_envelope_encryption_dek_source_cache_size{provider_name="one"} 2\n');
    await Promise.all([first.stop(), second.stop()]);
    plugin.stop();

    const server = await startServer(...flags);
    const message = 'Internal error occurred: got unexpected nil transformer';
    expect(await (await fetchFrom(server.url, `${secrets}/a`)).json()).toMatchObject({ code: 500, message });
    const listed = 'Internal error occurred: unable to transform key "/registry/secrets/default/a": got unexpected nil transformer';
    for (const query of ['', '?fieldSelector=metadata.name%3Da'])
      expect(await (await fetchFrom(server.url, `${secrets}${query}`)).json()).toMatchObject({ code: 500, message: listed });
    expect(await (await fetchFrom(server.url, secrets, secret('c'))).json()).toMatchObject({ code: 500, message });
    const dialing = `transport: Error while dialing: dial unix ${socket}: connect: no such file or directory`;
    const problem = `rpc error: code = DeadlineExceeded desc = latest balancer error: connection error: desc = ${JSON.stringify(dialing)}`;
    const health = await fetchFrom(server.url, '/healthz/kms-providers');
    expect([health.status, await health.text()]).toEqual([500, expect.stringContaining(problem)]);
    expect(await (await fetchFrom(server.url, '/readyz')).text()).toContain(
      '\n[+]etcd-readiness ok\n[-]kms-providers failed: reason withheld\n',
    );
    expect((await fetchFrom(server.url, '/livez')).status).toBe(200);
    plugin = await KmsPlugin.start(socket);
    await expect.poll(async () => (await fetchFrom(server.url, '/healthz/kms-providers')).status, { timeout: 20_000 }).toBe(200);
    await expect
      .poll(async () => (await fetchFrom(server.url, `${secrets}/a`)).json(), { timeout: 20_000 })
      .toMatchObject({ data: { key: btoa('hidden') } });
    expect((await fetchFrom(server.url, secrets, secret('c'))).status).toBe(201);
    await server.stop();
  } finally {
    plugin.stop();
    await etcd.close();
    rmSync(folder, { recursive: true });
  }
});
