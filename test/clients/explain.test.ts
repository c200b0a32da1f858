import { execFile, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) process.stderr.write('no kubectl on PATH: explain is not compared with that of the real one\n');

const program = new URL('../../dist/node/tabplane.js', import.meta.url).pathname;

describe.skipIf(!hasKubectl)('explain', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile);
  });
  afterAll(() => server.stop());

  const run = (command: string, words: readonly string[]): Promise<{ out: string; err: string; code: number }> =>
    new Promise((resolve) => {
      const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.folder };
      execFile(command, [...words], { env, timeout: 30_000 }, (error, out, err) =>
        resolve({ out, err, code: error ? Number(error.code ?? 1) : 0 }),
      );
    });

  test.each([
    'pods',
    'pods --recursive',
    'pods.spec',
    'pods.metadata.creationTimestamp',
    'pods.spec.containers.resources.limits',
    'pods.spec.containers.lifecycle.stopSignal',
    'pods.spec.nope',
    'deployments.spec.strategy --recursive',
    'pv.spec.accessModes',
    'crd.spec.versions.schema.openAPIV3Schema',
    'crd --recursive',
    'hpa --api-version=autoscaling/v1',
  ])('%s prints the same as the real kubectl', async (line) => {
    const words = ['explain', ...line.split(' ')];
    const real = await run('kubectl', words);
    expect(await run(process.execPath, [program, 'kubectl', '--names', 'kubernetes', ...words])).toEqual(real);
    expect(real.out).not.toMatch(/<no description>|<empty>/);
  });
});
