import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, tokenFile } from '../servers/start-server.ts';
import { type CertificateFiles, createCertificateFiles } from './etcd-certificates.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';

let folder: string;
let files: CertificateFiles;
let strangers: CertificateFiles;
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
const shown = ({ certificate, key }: CertificateFiles): readonly string[] => ['--etcd-certfile', certificate, '--etcd-keyfile', key];

describe.skipIf(etcdMissing)(`an etcd that asks for certificates${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabplane-certificates-'));
    files = await createCertificateFiles(folder, 'etcd');
    strangers = await createCertificateFiles(folder, 'stranger');
    cluster = await EtcdCluster.start(1, files);
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a server that shows one and trusts the right authority keeps its objects there', async () => {
    const server = await startServer(...flags(), '--etcd-cafile', files.authority, ...shown(files));
    try {
      const answer = await fetch(`${server.url}/api/v1/namespaces/default`, { headers: { authorization: 'Bearer admin-token' } });
      expect(answer.status).toBe(200);
      expect(cluster.etcdctl(0, 'get', '/registry/namespaces/default', '--keys-only').trim()).toBe('/registry/namespaces/default');
    } finally {
      await server.stop();
    }
  });

  test('one that shows none, or another’s, or trusts another authority, does not start: etcd cannot be reached', {
    timeout: 90_000,
  }, async () => {
    // Together: each tries for half a minute.
    const refusals = [
      ['--etcd-cafile', files.authority],
      ['--etcd-cafile', files.authority, ...shown(strangers)],
      ['--etcd-cafile', strangers.authority, ...shown(files)],
    ].map((more) => expect(startServer(...flags(), ...more)).rejects.toThrow(/ended with 1:[\s\S]*context deadline exceeded/));
    expect(await Promise.all(refusals)).toHaveLength(3);
  });
});
