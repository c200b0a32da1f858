import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const ownKubectl = [process.execPath, new URL('../../dist/node/tabplane.js', import.meta.url).pathname, 'kubectl', '--names', 'kubernetes'];
const clients: readonly (readonly [name: string, command: readonly string[]])[] = [
  ...(hasKubectl ? [['the real kubectl', ['kubectl']] as const] : []),
  ['tabplane kubectl', ownKubectl],
];

/** A plugin that saves its KUBERNETES_EXEC_INFO and returns a token. */
const plugin = `#!/bin/sh
printf '%s' "$KUBERNETES_EXEC_INFO" > "$0.info"
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$1"
`;

/** Part 5.5: a plugin provides the client's credentials; the server receives an ordinary token. */
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

  test('authenticates with the plugin’s token, and passes the cluster to the plugin', async () => {
    expect((await run('alice-token', 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).out).toBe('alice');
    const info = JSON.parse(readFileSync(`${path}.info`, 'utf8'));
    expect(info).toMatchObject({ kind: 'ExecCredential', spec: { interactive: false, cluster: { server: server.url } } });
  });

  test('is unauthenticated with an unknown token', async () => {
    expect((await run('no-token', 'get', 'secrets')).err).toContain('You must be logged in to the server');
  });
});
