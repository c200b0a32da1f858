import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const own = [process.execPath, new URL('../../dist/node/tabplane.js', import.meta.url).pathname, 'kubectl', '--names', 'kubernetes'];
const clients: readonly (readonly [name: string, command: readonly string[]])[] = [
  ...(hasKubectl ? [['the real kubectl', ['kubectl']] as const] : []),
  ['tabplane kubectl', own],
];

/** A plugin that writes down what it was told, and gives a token. */
const plugin = `#!/bin/sh
printf '%s' "$KUBERNETES_EXEC_INFO" > "$0.told"
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$1"
`;

/** Part 5.5: who a client is may be told by a program; the server sees a token like any other. */
describe.each(clients)('%s with a credential plugin', (_, [program = '', ...first]) => {
  let server: StartedServer;
  let path = '';
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile);
    path = join(server.folder, 'plugin');
    writeFileSync(path, plugin, { mode: 0o700 });
  });
  afterAll(() => server.stop());

  const run = (token: string, ...words: string[]): Promise<{ readonly out: string; readonly err: string }> => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin',
      args: [token],
      interactiveMode: 'Never',
      provideClusterInfo: true,
    };
    const config = join(server.folder, 'with-plugin');
    writeFileSync(config, readFileSync(server.kubeconfig, 'utf8').replace(/ {4}token: .*/, `    exec: ${JSON.stringify(exec)}`));
    const env = { ...process.env, KUBECONFIG: config, HOME: server.folder };
    return new Promise((resolve) =>
      execFile(program, [...first, ...words], { env, timeout: 30_000 }, (_error, out, err) => resolve({ out, err })),
    );
  };

  test('is who the plugin’s token says, and the plugin is told of the cluster', async () => {
    expect((await run('alice-token', 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).out).toBe('alice');
    const told = JSON.parse(readFileSync(`${path}.told`, 'utf8'));
    expect(told).toMatchObject({ kind: 'ExecCredential', spec: { interactive: false, cluster: { server: server.url } } });
  });

  test('is nobody with a token that nobody knows', async () => {
    expect((await run('no-token', 'get', 'secrets')).err).toContain('You must be logged in to the server');
  });
});
