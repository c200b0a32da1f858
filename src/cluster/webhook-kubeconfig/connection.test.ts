import { expect, test } from 'vitest';
import { postDocument, type WebhookConnection } from '../../authz/index.ts';
import type { PluginResult, PluginRun } from '../../client/exec-plugin/index.ts';
import { createManualClock, type OutboundRequest } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { readWebhookConnection } from './connection.ts';

const pem = (type: string): string => `-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`;
const config = (cluster: object, user: object, more: object = {}): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://hook/x', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    ...more,
  });

/** Options with these files, and a plugin that returns a new token at each run. */
function reader(files: Readonly<Record<string, string>> = {}) {
  const clock = createManualClock();
  const runs: PluginRun[] = [];
  const contents = { ...files };
  const run = async (one: PluginRun): Promise<PluginResult> => {
    runs.push(one);
    const status = { token: `t${runs.length}` };
    return { how: 'ended', exitCode: 0, output: JSON.stringify({ apiVersion: execVersion, kind: 'ExecCredential', status }) };
  };
  const read = (text: string): Promise<WebhookConnection> =>
    readWebhookConnection('/etc/hook/config', text, {
      userAgent: 'agent',
      product: productByName('kubernetes'),
      clock,
      plugins: { isTerminal: () => false, run },
      async readFile(path) {
        const content = contents[path];
        if (content === undefined) throw new Error(`open ${path}: no such file or directory`);
        return content;
      },
    });
  return { read, clock, runs, contents };
}

const execVersion = 'client.authentication.k8s.io/v1';
const exec = { command: 'bin/login', apiVersion: execVersion, interactiveMode: 'Never', provideClusterInfo: true };

/** The request that a webhook receives through a connection; it answers with `status`. */
async function sent(connection: WebhookConnection, status = 200): Promise<OutboundRequest> {
  const requests: OutboundRequest[] = [];
  const outbound = {
    send: async (request: OutboundRequest) => {
      requests.push(request);
      return { status, headers: {}, body: '{}' };
    },
  };
  await postDocument({ outbound, connection, timeoutMs: 1000 }, '{}').catch(() => undefined);
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

test('reads inline data, and files relative to the kubeconfig', async () => {
  const { read } = reader({ '/etc/hook/ca.pem': pem('CERTIFICATE'), '/etc/hook/c.pem': 'a certificate', '/k.pem': 'a key' });
  const byData = await sent(await read(config({ 'certificate-authority-data': btoa(pem('CERTIFICATE')) }, { token: 't' })));
  expect(byData.url).toBe('https://hook/x?timeout=1s');
  expect(byData.headers).toMatchObject({ 'user-agent': 'agent', authorization: 'Bearer t' });
  expect(byData.tls).toEqual({ authorities: pem('CERTIFICATE'), identity: undefined, serverName: undefined, unverified: false });
  const user = { 'client-certificate': 'c.pem', 'client-key': '/k.pem' };
  const byFiles = await sent(await read(config({ 'certificate-authority': 'ca.pem', 'tls-server-name': 'other' }, user)));
  expect(byFiles.tls).toEqual({
    authorities: pem('CERTIFICATE'),
    identity: { certificate: 'a certificate', key: 'a key' },
    serverName: 'other',
    unverified: false,
  });
});

test('sends user name and password as basic credentials', async () => {
  const { headers } = await sent(await reader().read(config({}, { username: 'ä', password: 'b' })));
  expect(headers['authorization']).toBe(`Basic ${btoa('\u00c3\u00a4:b')}`);
});

test('reads a token file again when its cache expires, and retains the token when that fails', async () => {
  const { read, clock, contents } = reader({ '/t': 'one\n' });
  const connection = await read(config({}, { tokenFile: '/t' }));
  const shown = async () => (await sent(connection)).headers['authorization'];
  expect(await shown()).toBe('Bearer one');
  contents['/t'] = 'two';
  expect(await shown()).toBe('Bearer one');
  await clock.advance(51_000);
  expect(await shown()).toBe('Bearer two');
  delete contents['/t'];
  await clock.advance(51_000);
  expect(await shown()).toBe('Bearer two');
});

test('runs a plugin before the first request, and again after a rejection', async () => {
  const { read, runs } = reader();
  const connection = await read(config({}, { exec }));
  expect(runs).toEqual([]);
  expect((await sent(connection)).headers['authorization']).toBe('Bearer t1');
  expect((await sent(connection, 401)).headers['authorization']).toBe('Bearer t1');
  expect((await sent(connection)).headers['authorization']).toBe('Bearer t2');
  expect(runs.map(({ command }) => command)).toEqual(['/etc/hook/bin/login', '/etc/hook/bin/login']);
  const [info] = runs[0]?.env.filter(({ name }) => name === 'KUBERNETES_EXEC_INFO') ?? [];
  expect(JSON.parse(info?.value ?? '')).toMatchObject({ spec: { cluster: { server: 'https://hook/x' }, interactive: false } });
});

test('sends impersonation headers, and no credentials without TLS', async () => {
  const as = { as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x/y': ['z'] }, 'as-uid': '7', tokenFile: '/nowhere' };
  const { headers, tls } = await sent(await reader().read(config({ server: 'hook:80' }, as)));
  expect(headers).toMatchObject({
    'impersonate-user': 'jane',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-x%2Fy': ['z'],
    'impersonate-uid': '7',
  });
  expect(headers).not.toHaveProperty('authorization');
  expect(tls.identity).toBeUndefined();
});

test("reports a missing file with the system's message, and treats an empty CA file as none", async () => {
  const { read } = reader({ '/empty': '' });
  await expect(read(config({}, { tokenFile: 'nope' }))).rejects.toThrow('open /etc/hook/nope: no such file or directory');
  expect((await read(config({ 'certificate-authority': '/empty' }, {}))).tls.authorities).toBeUndefined();
});

const nothing = 'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';
const refusals: readonly (readonly [text: string, message: string])[] = [
  [config({}, {}, { 'current-context': '' }), nothing],
  [config({}, {}, { clusters: [] }), nothing],
  [
    config({}, {}, { 'current-context': 'y' }),
    'invalid configuration: [context was not found for specified context: y, cluster has no server defined]',
  ],
  [config({ server: '' }, {}), 'invalid configuration: no server found for cluster "c"'],
  [
    config({}, { token: 'a', username: 'b' }),
    'invalid configuration: more than one authentication method found for u; found [token basicAuth], only one is allowed',
  ],
  [config({}, { tokenFile: '/t', username: 'b' }), 'username/password or bearer token may be set, but not both'],
  [config({}, { tokenFile: '/empty' }), 'read empty token from file "/empty"'],
  [
    config({}, { exec: { ...exec, interactiveMode: '' } }),
    'invalid configuration: interactiveMode must be specified for u to use exec authentication plugin',
  ],
  [config({}, { exec: { ...exec, apiVersion: 'v1' } }), 'exec plugin: invalid apiVersion "v1"'],
  [
    config({}, { exec, 'auth-provider': { name: 'x' } }),
    'invalid configuration: authProvider cannot be provided in combination with an exec plugin for u',
  ],
  [config({}, { 'auth-provider': { name: 'x' } }), 'no Auth Provider found for name "x"'],
  [config({}, { 'client-certificate-data': 'QQ==', 'client-key-data': 'QQ==' }), 'tls: failed to find any PEM data in certificate input'],
  [config({}, { 'client-certificate-data': 'Q?==' }), 'error loading config file "/etc/hook/config": illegal base64 data at input byte 1'],
  [
    config({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'QQ==' }, {}),
    'specifying a root certificates file with the insecure flag is not allowed',
  ],
  [config({ 'certificate-authority-data': 'QQ==' }, {}), 'unable to load root certificates: unable to parse bytes as PEM block'],
  [config({ server: 'https://a b' }, {}), 'host must be a URL or a host:port pair: "https://a b"'],
  [config({ server: 'ht!tp//x' }, {}), 'host must be a URL or a host:port pair: "ht!tp//x"'],
  [
    config({ 'proxy-url': 'ftp://a' }, {}),
    `invalid configuration: invalid 'proxy-url' "ftp://a" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5`,
  ],
  [config({}, { 'as-uid': '7' }), 'invalid configuration: requesting uid, groups or user-extra for u without impersonating a user'],
  [
    'apiVersion: v1\nkind: Pod\n',
    'error loading config file "/etc/hook/config": no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  ],
  [
    'clusters: {}',
    'error loading config file "/etc/hook/config": json: cannot unmarshal object into Go struct field Config.clusters of type []v1.NamedCluster',
  ],
  ['a: b: c', 'error loading config file "/etc/hook/config": yaml: mapping values are not allowed in this context'],
];

test.each(refusals)('rejects %s with the real message', async (text, message) => {
  await expect(reader({ '/t': 't', '/empty': '' }).read(text)).rejects.toMatchObject({ name: 'KubeconfigError', message });
});
