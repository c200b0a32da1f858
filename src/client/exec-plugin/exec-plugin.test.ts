import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { ApiHandler, Json, JsonObject } from '../../meta/index.ts';
import { productByName } from '../../meta/index.ts';
import { ExecPlugin, type PluginResult, type PluginRun, readExecConfig, toExecCluster, withExecPlugin } from './index.ts';

const { rename } = productByName('kubernetes');
const apiVersion = 'client.authentication.k8s.io/v1';
const good = { apiVersion, kind: 'ExecCredential' };
const pem = (type: string): string => `-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`;

/** A plugin whose n-th run returns the n-th result, or the last one when there are no more. */
function plugin(exec: JsonObject, ends: readonly (PluginResult | JsonObject | string)[], { terminal = false, names = rename } = {}) {
  const runs: PluginRun[] = [];
  const clock = createManualClock();
  const host = {
    isTerminal: () => terminal,
    run: (run: PluginRun): Promise<PluginResult> => {
      const end = ends[Math.min(runs.push(run), ends.length) - 1] ?? '';
      if (typeof end === 'object' && 'how' in end) return Promise.resolve(end as PluginResult);
      return Promise.resolve({ how: 'ended', exitCode: 0, output: typeof end === 'string' ? end : JSON.stringify(end) });
    },
  };
  const config = readExecConfig({ command: 'login', apiVersion, interactiveMode: 'Never', ...exec }, 'u', names);
  const cluster = toExecCluster({ 'tls-server-name': 'api' }, { server: 'https://c.local', authorities: 'PEM', rename: names });
  const parse = (output: string): Promise<Json> => Promise.resolve(output === '' ? null : JSON.parse(output));
  return { runs, clock, plugin: new ExecPlugin({ config, cluster, host, clock, rename: names, parse }) };
}

const token = (name: string, more: JsonObject = {}): JsonObject => ({ ...good, status: { token: name, ...more } });

const invalidResults: readonly (readonly [end: PluginResult | JsonObject | string, message: string])[] = [
  [{ how: 'ended', exitCode: 3, output: '' }, 'exec: executable login failed with exit code 3'],
  [{ how: 'failed', why: 'fork/exec /x: permission denied' }, 'exec: fork/exec /x: permission denied'],
  ['"hello"', `decoding stdout: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct`],
  ['', `exec plugin is configured to use API version ${apiVersion}, plugin returned version client.authentication.k8s.io/__internal`],
  [{ ...good, apiVersion: `${apiVersion}beta1` }, `API version ${apiVersion}, plugin returned version ${apiVersion}beta1`],
  [
    { ...good, kind: 'Pod' },
    `decoding stdout: no kind "Pod" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`,
  ],
  [good, "exec plugin didn't return a status field"],
  [{ ...good, status: {} }, "exec plugin didn't return a token or cert/key pair"],
  [{ ...good, status: { clientKeyData: 'x' } }, 'exec plugin returned only certificate or key, not both'],
  [
    { ...good, status: { clientKeyData: 'x', clientCertificateData: 'y' } },
    'failed parsing client key/certificate: tls: failed to find any PEM data in certificate input',
  ],
  [
    { ...good, status: { clientKeyData: pem('CERTIFICATE'), clientCertificateData: pem('CERTIFICATE') } },
    'failed parsing client key/certificate: tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    { ...good, status: { token: 7 } },
    'decoding stdout: json: cannot unmarshal number into Go struct field ExecCredentialStatus.status.token of type string',
  ],
  [
    token('a', { expirationTimestamp: 'tomorrow' }),
    'decoding stdout: parsing time "tomorrow" as "2006-01-02T15:04:05Z07:00": cannot parse "tomorrow" as "2006"',
  ],
];

test.each(invalidResults)('rejects output %j: %s', async (end, message) => {
  await expect(plugin({}, [end]).plugin.credentials('')).rejects.toThrow(message);
});

test('prints advice and the install hint for a missing program ten times an hour', async () => {
  const { plugin: missing, clock } = plugin({ installHint: 'brew install login\u001b[1m' }, [{ how: 'not-found' }]);
  const message = async (): Promise<string> => missing.credentials('').then(String, ({ message }: Error) => message);
  const first = await message();
  expect(first).toMatch(/^exec: executable login not found\n\nIt looks like you are trying/);
  expect(first).toMatch(/\n\nbrew install loginU\+001B\[1m$/);
  for (let more = 0; more < 9; more++) await message();
  expect(await message()).toBe('exec: executable login not found');
  await clock.advance(60 * 60 * 1000);
  expect(await message()).toBe(first);
});

test("passes the ExecCredential in the product's variable, with the cluster only when configured", async () => {
  const { plugin: execPlugin, runs } = plugin({ args: ['-a'], env: [{ name: 'A', value: '1' }], provideClusterInfo: true }, [token('t')]);
  await execPlugin.credentials('');
  const cluster = `{"server":"https://c.local","tls-server-name":"api","certificate-authority-data":"UEVN","config":null}`;
  const execInfo = `{"kind":"ExecCredential","apiVersion":"${apiVersion}","spec":{"cluster":${cluster},"interactive":false}}\n`;
  expect(runs[0]).toEqual({
    command: 'login',
    args: ['-a'],
    env: [
      { name: 'A', value: '1' },
      { name: 'KUBERNETES_EXEC_INFO', value: execInfo },
    ],
    interactive: false,
  });
  const svc = productByName('svc').rename;
  const other = plugin({ apiVersion: 'client.authentication.svc/v1beta1', interactiveMode: '' }, [token('t')], { names: svc });
  await other.plugin.credentials('').catch(() => undefined);
  expect(other.runs[0]?.env).toEqual([
    {
      name: 'SVC_EXEC_INFO',
      value: '{"kind":"ExecCredential","apiVersion":"client.authentication.svc/v1beta1","spec":{"interactive":false}}\n',
    },
  ]);
});

test('caches credentials until they expire, or without expiry until they are rejected', async () => {
  const { plugin: dated, runs, clock } = plugin({}, [token('a', { expirationTimestamp: '2026-01-01T00:01:00Z' }), token('b')]);
  expect((await dated.credentials('')).token).toBe('a');
  await clock.advance(60_000);
  expect((await dated.credentials('')).token).toBe('a');
  await clock.advance(1);
  expect((await dated.credentials('')).token).toBe('b');
  await clock.advance(24 * 60 * 60 * 1000);
  await dated.credentials('');
  expect(runs).toHaveLength(2);
});

test('concurrent requests share one run', async () => {
  const { plugin: one, runs } = plugin({}, [token('a'), token('b')]);
  const all = await Promise.all([one.credentials(''), one.credentials(''), one.credentials('')]);
  expect(all.map((found) => found.token)).toEqual(['a', 'a', 'a']);
  expect(runs).toHaveLength(1);
});

const modes: readonly (readonly [mode: string, terminal: boolean, used: string, outcome: boolean | string])[] = [
  ['Never', true, '', false],
  ['IfAvailable', true, '', true],
  ['IfAvailable', false, '', false],
  ['IfAvailable', true, 'used', false],
  ['Always', true, '', true],
  ['Always', false, '', 'exec plugin cannot support interactive mode: standard input is not a terminal'],
  ['Always', true, 'used by x', 'exec plugin cannot support interactive mode: standard input is unavailable: used by x'],
];

test.each(modes)('interactiveMode %s, terminal %s, stdin %j: interactive %j', async (interactiveMode, terminal, used, outcome) => {
  const { plugin: execPlugin, runs } = plugin({ interactiveMode }, [token('t')], { terminal });
  const result = await execPlugin.credentials(used).then(
    () => runs[0]?.interactive,
    ({ message }: Error) => message,
  );
  expect(result).toBe(outcome);
});

const broken: readonly (readonly [exec: JsonObject, problems: readonly string[]])[] = [
  [
    { interactiveMode: 'Always' },
    [
      'command must be specified for u to use exec authentication plugin',
      'apiVersion must be specified for u to use exec authentication plugin',
    ],
  ],
  [{ command: 'a', apiVersion }, ['interactiveMode must be specified for u to use exec authentication plugin']],
  [{ command: 'a', apiVersion, interactiveMode: 'X' }, ['invalid interactiveMode for u: "X"']],
  [
    { command: 'a', apiVersion, interactiveMode: 'Never', env: [{ value: '1' }] },
    ['env variable name must be specified for u to use exec authentication plugin'],
  ],
  [{ command: 'a', apiVersion: 'v9', interactiveMode: 'Never' }, ['exec plugin: invalid apiVersion "v9"']],
];

test.each(broken)('rejects the exec entry %j', (exec, problems) => {
  expect(() => readExecConfig(exec, 'u', rename)).toThrow(expect.objectContaining({ problems }));
});

/** A server that accepts one token and any certificate. */
const server =
  (seen: string[]) =>
  (identity: { readonly certificate: string } | undefined): ApiHandler =>
  (request) => {
    const shown = `${request.headers.get('authorization') ?? '-'} ${identity ? 'certificate' : '-'}`;
    seen.push(shown);
    return Promise.resolve({ status: /^Bearer b |certificate/.test(shown) ? 200 : 401, headers: [], body: undefined });
  };
const request = (headers: Record<string, string> = {}) => ({
  method: 'GET',
  target: '/api',
  headers: new Headers(headers),
  body: undefined,
  signal: new AbortController().signal,
});

test('refreshes a rejected token for the next request; an explicit Authorization header takes precedence', async () => {
  const { plugin: execPlugin, runs } = plugin({}, [token('a'), token('b')]);
  const seen: string[] = [];
  const handler = withExecPlugin({ plugin: execPlugin, stdinUsed: '', connect: server(seen), onRefreshFailed: () => undefined });
  expect((await handler(request())).status).toBe(401);
  expect((await handler(request())).status).toBe(200);
  await handler(request({ authorization: 'Bearer own' }));
  expect(seen).toEqual(['Bearer a -', 'Bearer b -', 'Bearer own -']);
  expect(runs).toHaveLength(2);
});

test('connects with the client certificate of the plugin', async () => {
  const identity = { clientCertificateData: pem('CERTIFICATE'), clientKeyData: pem('EC PRIVATE KEY') };
  const { plugin: execPlugin } = plugin({}, [{ ...good, status: identity }]);
  const seen: string[] = [];
  const handler = withExecPlugin({ plugin: execPlugin, stdinUsed: '', connect: server(seen), onRefreshFailed: () => undefined });
  expect((await handler(request())).status).toBe(200);
  expect(seen).toEqual(['- certificate']);
});

test("reports a failed refresh and returns the server's response", async () => {
  const { plugin: execPlugin } = plugin({}, [token('a'), { how: 'ended', exitCode: 1, output: '' }]);
  const messages: string[] = [];
  const handler = withExecPlugin({ plugin: execPlugin, stdinUsed: '', connect: server([]), onRefreshFailed: (why) => messages.push(why) });
  expect((await handler(request())).status).toBe(401);
  expect(messages).toEqual(['exec: executable login failed with exit code 1']);
});

test('fails a request without credentials before it is sent', async () => {
  const seen: string[] = [];
  const { plugin: execPlugin } = plugin({}, [{ how: 'ended', exitCode: 1, output: '' }]);
  const handler = withExecPlugin({ plugin: execPlugin, stdinUsed: '', connect: server(seen), onRefreshFailed: () => undefined });
  await expect(handler(request())).rejects.toThrow('getting credentials: exec: executable login failed with exit code 1');
  expect(seen).toEqual([]);
});
