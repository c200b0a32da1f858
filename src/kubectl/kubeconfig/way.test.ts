import { expect, test } from 'vitest';
import type { PluginHost, PluginRun } from '../../client/exec-plugin/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom, type OutboundTls } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { createShell } from '../console-shell.ts';
import { createMemoryFiles } from '../shell/files.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const pem = (type: string): string => `-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`;
const plugin = `exec: {command: bin/login, apiVersion: ${apiVersion}, interactiveMode: IfAvailable}`;

interface Shown {
  readonly token: string | null;
  readonly tls: OutboundTls | undefined;
}

/** kubectl with a user of this kubeconfig, before a server that takes note of how it was asked. */
function session(user: string, cluster = '') {
  const shown: Shown[] = [];
  const runs: PluginRun[] = [];
  const api =
    (tls: OutboundTls | undefined): ApiHandler =>
    ({ headers }) => {
      shown.push({ token: headers.get('authorization'), tls });
      return Promise.resolve({ status: 200, headers: [], body: '{}' });
    };
  const plugins: PluginHost = {
    isTerminal: () => true,
    run: (run) => {
      runs.push(run);
      const output = `apiVersion: ${apiVersion}\nkind: ExecCredential\nstatus:\n  token: t${runs.length}\n`;
      return Promise.resolve({ how: 'ended', exitCode: 0, output });
    },
  };
  const config = `current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://c.local"${cluster}}}]
users: [{name: u, user: {${user}}}]`;
  const shell = createShell({
    env: { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() },
    files: createMemoryFiles({ '/etc/me/config': config, '/etc/me/tls/cert': pem('CERTIFICATE'), '/etc/me/tls/key': pem('PRIVATE KEY') }),
    connect: (_, tls) => api(tls),
    plugins,
    variables: { HOME: '/home/me', PWD: '/home/me', KUBECONFIG: '/etc/me/config' },
  });
  const run = async (line: string): Promise<string> => {
    let said = '';
    const note = (text: string): void => {
      said += text;
    };
    await shell.run(line, { signal: new AbortController().signal, out: () => undefined, err: note });
    return said;
  };
  return { run, shown, runs };
}

test('the plugin beside the kubeconfig is run once, and its token is used by every command', async () => {
  const { run, shown, runs } = session(plugin);
  expect(await run('kubectl get --raw /a')).toBe('');
  await run('kubectl get --raw /b');
  expect(shown.map(({ token }) => token)).toEqual(['Bearer t1', 'Bearer t1']);
  expect(runs).toMatchObject([{ command: '/etc/me/bin/login', interactive: true }]);
});

test('a token of the user or of the command line spares the plugin', async () => {
  const { run, shown, runs } = session(`${plugin}, token: own`);
  await run('kubectl get --raw /a');
  await run('kubectl --token=typed get --raw /a');
  expect(shown.map(({ token }) => token)).toEqual(['Bearer own', 'Bearer typed']);
  expect(runs).toEqual([]);
});

test('a certificate and its key come from data or from files beside the kubeconfig', async () => {
  const files = session('client-certificate: tls/cert, client-key: tls/key', ', tls-server-name: api');
  expect(await files.run('kubectl get --raw /a')).toBe('');
  const identity = { certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') };
  expect(files.shown).toEqual([{ token: null, tls: { authorities: undefined, identity, serverName: 'api', unverified: false } }]);
  const data = session(`client-certificate-data: ${btoa(identity.certificate)}, client-key-data: ${btoa(identity.key)}`);
  await data.run('kubectl get --raw /a');
  expect(data.shown[0]?.tls?.identity).toEqual(identity);
});

const refusals: readonly (readonly [user: string, cluster: string, err: string])[] = [
  ['exec: {}', '', 'Error in configuration: \n* command must be specified for u to use exec authentication plugin\n* apiVersion must be'],
  [
    `exec: {command: a, apiVersion: ${apiVersion}}`,
    '',
    'error: interactiveMode must be specified for u to use exec authentication plugin\n',
  ],
  ['client-certificate: tls/cert', '', 'error: client-key-data or client-key must be specified for u to use the clientCert'],
  ['client-certificate: nope', '', 'unable to read client-cert /etc/me/nope for u due to open /etc/me/nope: no such file or directory\n'],
  ['client-certificate: tls/key, client-key: tls/key', '', 'PEM inputs may have been switched\n'],
  [
    'token: a',
    ', certificate-authority-data: QQ==, insecure-skip-tls-verify: true',
    'error: specifying a root certificates file with the insecure flag is not allowed\n',
  ],
];

test.each(refusals)('a user %s of a cluster {%s} is refused as the real kubectl does', async (user, cluster, err) => {
  const { run, shown } = session(user, cluster);
  expect(await run('kubectl get --raw /a')).toContain(err);
  expect(shown).toEqual([]);
});
