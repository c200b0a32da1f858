import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CertificateFiles, createCertificateFiles } from '../certificate-files.ts';
import { startServer, tokenFile } from '../servers/start-server.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';

let folder: string;
let files: CertificateFiles;
let otherFiles: CertificateFiles;
let cluster: EtcdCluster;

const flags = (): readonly string[] => [
  '--names',
  'kubernetes',
  '--insecure',
  '--token-auth-file',
  tokenFile,
  '--etcd-servers',
  cluster.servers.join(','),
];
const clientCertificateFlags = ({ certificate, key }: CertificateFiles): readonly string[] => [
  '--etcd-certfile',
  certificate,
  '--etcd-keyfile',
  key,
];

describe.skipIf(etcdMissing)(`an etcd that requires client certificates${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabplane-certificates-'));
    files = await createCertificateFiles(folder, 'etcd');
    otherFiles = await createCertificateFiles(folder, 'other');
    cluster = await EtcdCluster.start(1, files);
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a server with a valid certificate and the right CA stores its objects in etcd', async () => {
    const server = await startServer(...flags(), '--etcd-cafile', files.authority, ...clientCertificateFlags(files));
    try {
      const response = await fetch(`${server.url}/api/v1/namespaces/default`, { headers: { authorization: 'Bearer admin-token' } });
      expect(response.status).toBe(200);
      expect(cluster.etcdctl(0, 'get', '/registry/namespaces/default', '--keys-only').trim()).toBe('/registry/namespaces/default');
      const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer admin-token' } });
      const [, bytes] = /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} (.*)$/m.exec(await metrics.text()) ?? [];
      const [{ Status: status }] = JSON.parse(cluster.etcdctl(0, 'endpoint', 'status', '--write-out=json'));
      expect(Number(bytes)).toBeGreaterThan(0);
      expect(Number(bytes)).toBeLessThanOrEqual(status.dbSize);
    } finally {
      await server.stop();
    }
  });

  test('a server without a certificate, with one of another CA, or with another trusted CA fails to start with a timeout', {
    timeout: 90_000,
  }, async () => {
    // Concurrently: each retries for half a minute.
    const refusals = [
      ['--etcd-cafile', files.authority],
      ['--etcd-cafile', files.authority, ...clientCertificateFlags(otherFiles)],
      ['--etcd-cafile', otherFiles.authority, ...clientCertificateFlags(files)],
    ].map((more) => expect(startServer(...flags(), ...more)).rejects.toThrow(/ended with 1:[\s\S]*context deadline exceeded/));
    expect(await Promise.all(refusals)).toHaveLength(3);
  });
});
