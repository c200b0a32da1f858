import { expect, test } from 'vitest';
import type { PluginHost, PluginRun } from '../../client/exec-plugin/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom, type OutboundTls } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { createMemoryFiles } from '../../shell/files.ts';
import { createShell } from '../console-shell.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const pem = (type: string): string => `-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`;
const plugin = `exec: {command: bin/login, apiVersion: ${apiVersion}, interactiveMode: IfAvailable}`;

interface ReceivedRequest {
  readonly token: string | null;
  readonly tls: OutboundTls | undefined;
}

/** Runs kubectl with a user of this kubeconfig against a server that records the credentials it receives. */
function session(user: string, cluster = '') {
  const received: ReceivedRequest[] = [];
  const runs: PluginRun[] = [];
  const api =
    (tls: OutboundTls | undefined): ApiHandler =>
    ({ headers }) => {
      received.push({ token: headers.get('authorization'), tls });
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
    let output = '';
    const collect = (text: string): void => {
      output += text;
    };
    await shell.run(line, { signal: new AbortController().signal, out: () => undefined, err: collect });
    return output;
  };
  return { run, received, runs };
}

test('runs a plugin relative to the kubeconfig once and reuses its token', async () => {
  const { run, received, runs } = session(plugin);
  expect(await run('kubectl get --raw /a')).toBe('');
  await run('kubectl get --raw /b');
  expect(received.map(({ token }) => token)).toEqual(['Bearer t1', 'Bearer t1']);
  expect(runs).toMatchObject([{ command: '/etc/me/bin/login', interactive: true }]);
});

test('prefers a token of the user or command line over the plugin', async () => {
  const { run, received, runs } = session(`${plugin}, token: own`);
  await run('kubectl get --raw /a');
  await run('kubectl --token=typed get --raw /a');
  expect(received.map(({ token }) => token)).toEqual(['Bearer own', 'Bearer typed']);
  expect(runs).toEqual([]);
});

test('reads a certificate and key from data or from files relative to the kubeconfig', async () => {
  const files = session('client-certificate: tls/cert, client-key: tls/key', ', tls-server-name: api');
  expect(await files.run('kubectl get --raw /a')).toBe('');
  const identity = { certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') };
  expect(files.received).toEqual([{ token: null, tls: { authorities: undefined, identity, serverName: 'api', unverified: false } }]);
  const data = session(`client-certificate-data: ${btoa(identity.certificate)}, client-key-data: ${btoa(identity.key)}`);
  await data.run('kubectl get --raw /a');
  expect(data.received[0]?.tls?.identity).toEqual(identity);
});

const invalidConfigs: readonly (readonly [user: string, cluster: string, err: string])[] = [
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

test.each(invalidConfigs)("rejects user %s of cluster {%s} with kubectl's error message", async (user, cluster, err) => {
  const { run, received } = session(user, cluster);
  expect(await run('kubectl get --raw /a')).toContain(err);
  expect(received).toEqual([]);
});
