import { expect, test } from 'vitest';
import { sendHttp } from '../../http/index.ts';
import { createLoopback } from './loopback.test-support.ts';
import { TestSandbox } from './sandbox.test-support.ts';

const agnhost = 'registry.k8s.io/e2e-test-images/agnhost';

test('a server of a container is reached through the network of its pod, until it ends', async () => {
  const network = createLoopback();
  const pod = new TestSandbox({}, {}, network);
  const server = await pod.start({ args: ['netexec', '--http-port=80'] }, agnhost);
  await pod.advance(1);
  expect(network.opened).toEqual([{ namespace: 'ns', name: 'web', uid: 'u', node: 'node-1', addresses: ['10.244.0.2'], hostPorts: [] }]);
  const stream = await pod.sandbox.dial(80, new AbortController().signal);
  const response = await sendHttp(stream, { method: 'GET', target: '/clientip', headers: [['Host', 'web']], body: undefined });
  let body = '';
  for await (const bytes of response.body) body += new TextDecoder().decode(bytes);
  expect([response.status, body]).toEqual([200, '10.244.0.9:40000']);
  server.kill();
  await pod.advance(1);
  const refused = pod.sandbox.dial(80, new AbortController().signal);
  await expect(refused).rejects.toThrow('dial tcp4 127.0.0.1:80: connect: connection refused');
  pod.sandbox.dispose();
  expect(network.isClosed()).toBe(true);
});

test.each([
  ['wget -qO- http://api/echo?msg=hello', 'hello'],
  ['wget -q -O /tmp/f web/hostname && cat /tmp/f', 'web'],
  ['wget -qO- http://web/none; echo $?', 'NOW: 2026-01-01T00:00:01.000Z0\n'],
  ['wget -qO- http://web:81; echo $?', "wget: can't connect to remote host (web): Connection refused\n1\n"],
  ['wget -qO- http://other; echo $?', "wget: bad address 'other'\n1\n"],
  ["curl -s -w '%{http_code}' -d msg=a http://web/echo", 'a200'],
  ['curl http://web:81', 'curl: (7) Failed to connect to web port 81: Connection refused\n'],
  ['curl -f -s "http://web/echo?code=404"; echo $?', '22\n'],
  ['nslookup api | tail -n 3', 'Name:\tapi\nAddress: 10.96.0.9\n\n'],
  ['nc -zv api 80', 'api (10.96.0.9:80) open\n'],
  ['echo hostName | nc -u -w 1 api 8081', 'web'],
  ['curl -s "http://web/dial?request=hostName&protocol=udp&host=api&port=8081"', '{"responses":["web"]}'],
  ['curl -s "http://web/dial?request=echo%3Fmsg=a&host=api&port=80&tries=2"', '{"responses":["a","a"]}'],
  ['curl -s "http://web/dial?request=hostname&host=api&port=81"', '{"errors":["connection refused"]}'],
  ['curl -sL "http://web/redirect?location=/echo?msg=there"', 'there'],
  ['curl -si "http://web/echo?msg=x" | head -n 1', 'HTTP/1.1 200 OK\r\n'],
  ["curl -s -H 'X-One: 1' -H 'X-Two: 2' 'http://web/header?key=X-One'", '1'],
  ['dig +short api A', ''],
  ['dig +search +short api A', '10.96.0.9\n'],
  ['dig +noall +answer api.ns.svc.cluster.local', 'api.ns.svc.cluster.local.\t5\tIN\tA\t10.96.0.9\n'],
  ['getent hosts api', '10.96.0.9       api\n'],
  ['getent hosts web', '10.244.0.2      web\n'],
])('%s', async (script, output) => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['netexec', '--http-port=80'], name: 'server' }, agnhost);
  await pod.advance(1);
  await pod.start({ command: ['sh', '-c', script] }, agnhost);
  await pod.advance(2);
  expect(await pod.logs()).toBe(output);
});

test('netstat lists the sockets of the pod', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['netexec', '--http-port=80'], name: 'server' }, agnhost);
  await pod.advance(1);
  expect(await pod.run('netstat -na')).toBe(
    [
      'Active Internet connections (servers and established)',
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State       ',
      'tcp        0      0 :::80                   :::*                    LISTEN      ',
      'udp        0      0 :::8081                 :::*                                ',
      '',
    ].join('\n'),
  );
  expect(await pod.run('netstat -tln | wc -l')).toBe('3\n');
  expect(await pod.run('netstat -n | wc -l')).toBe('2\n');
});

test.each([
  ['', 'abc', ['Accepted client connection', 'Shutting down connection', 'Done'], 'x'.repeat(6), 0],
  ['abc', 'abc', ['Accepted client connection', 'Received expected client data', 'Shutting down connection', 'Done'], 'x'.repeat(6), 0],
  ['abc', '', ['Accepted client connection', 'Expected to read 3 bytes from client, but got 0 instead. err=EOF'], '', 2],
  ['abc', 'abd', ['Accepted client connection', 'Expect to read "abc", but got "abd". err=<nil>'], '', 3],
])('the tester of port forwarding that expects %j, with a client that sends %j', async (expected, sent, logs, received, code) => {
  const pod = new TestSandbox({}, {}, createLoopback());
  const variables = { BIND_PORT: '80', EXPECTED_CLIENT_DATA: expected, CHUNKS: '3', CHUNK_SIZE: '2', CHUNK_INTERVAL: '10' };
  const env = Object.entries(variables).map(([name, value]) => ({ name, value }));
  const server = await pod.start({ args: ['port-forward-tester'], env }, agnhost);
  await pod.advance(1);
  const { source, sink } = await pod.sandbox.dial(80, new AbortController().signal);
  if (sent !== '') await sink.write(new TextEncoder().encode(sent));
  await sink.close();
  await pod.advance(2);
  let text = '';
  for await (const bytes of source) text += new TextDecoder().decode(bytes);
  expect(text).toBe(received);
  expect((await pod.logs()).split('\n').slice(0, -1)).toEqual(logs);
  expect(server.exit?.code).toBe(code);
});

/** Sends a request to a port of the pod. */
async function post(pod: TestSandbox, port: number, target: string, body: object): Promise<unknown> {
  const stream = await pod.sandbox.dial(port, new AbortController().signal);
  const headers = [
    ['Host', 'web'],
    ['Content-Type', 'application/json'],
  ] as const;
  const response = await sendHttp(stream, { method: 'POST', target, headers, body: new TextEncoder().encode(JSON.stringify(body)) });
  let text = '';
  for await (const bytes of response.body) text += new TextDecoder().decode(bytes);
  return JSON.parse(text);
}

const admission = (request: object): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: '1', ...request },
});

test('the admission webhook of agnhost denies and patches', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['webhook', '--port=8443', '--sidecar-image=side'] }, agnhost);
  await pod.advance(1);
  const review = async (path: string, request: object): Promise<unknown> =>
    ((await post(pod, 8443, path, admission(request))) as { readonly response: unknown }).response;
  expect(await review('/always-deny', {})).toEqual({ uid: '1', allowed: false, status: { message: 'this webhook denies all requests' } });
  const data = { 'webhook-e2e-test': 'webhook-disallow' };
  expect(await review('/configmaps', { operation: 'CREATE', object: { data } })).toEqual({
    uid: '1',
    allowed: false,
    status: { reason: 'the configmap contains unwanted key and value' },
  });
  expect(await review('/configmaps', { operation: 'DELETE', oldObject: { data } })).toEqual({ uid: '1', allowed: true });
  const patched = (await review('/mutating-pods-sidecar', { object: { spec: { containers: [] } } })) as { readonly patch: string };
  expect(JSON.parse(atob(patched.patch))).toEqual([
    { op: 'add', path: '/spec/containers/-', value: { image: 'side', name: 'webhook-added-sidecar', resources: {} } },
  ]);
});

test('the conversion webhook of agnhost converts both ways, and fails for other versions', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['crd-conversion-webhook', '--port=8443'] }, agnhost);
  await pod.advance(1);
  const convert = async (desiredAPIVersion: string, object: object): Promise<unknown> => {
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: '2', desiredAPIVersion, objects: [object] },
    };
    return ((await post(pod, 8443, '/crdconvert', review)) as { readonly response: unknown }).response;
  };
  const one = { apiVersion: 'stable.example.com/v1', hostPort: 'a:80' };
  const two = { apiVersion: 'stable.example.com/v2', host: 'a', port: '80' };
  const success = { metadata: {}, status: 'Success' };
  expect(await convert(two.apiVersion, one)).toEqual({ uid: '2', convertedObjects: [two], result: success });
  expect(await convert(one.apiVersion, two)).toEqual({ uid: '2', convertedObjects: [one], result: success });
  expect(await convert('stable.example.com/v3', one)).toMatchObject({
    result: { message: 'unexpected conversion version "stable.example.com/v3"' },
  });
});

test('a server with TLS answers a client without as servers in Go do', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start(
    { args: ['netexec', '--http-port=443', '--tls-cert-file=/localhost.crt', '--tls-private-key-file=/localhost.key'] },
    agnhost,
  );
  await pod.advance(1);
  const stream = await pod.sandbox.dial(443, new AbortController().signal);
  const response = await sendHttp(stream, { method: 'GET', target: '/', headers: [['Host', 'web']], body: undefined });
  expect(response.status).toBe(400);
});

test('porter serves the values of variables', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  const env = [{ name: 'SERVE_PORT_90', value: 'hello' }];
  await pod.start({ args: ['porter', '--json-response'], env }, agnhost);
  await pod.advance(1);
  expect(await post(pod, 90, '/', {})).toEqual({ Method: 'POST', Body: 'hello' });
});

test('the value of a flag may be a negative number', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['netexec', '--http-port', '8090', '--udp-port', '-1'] }, agnhost);
  await pod.advance(1);
  expect(await pod.logs()).not.toContain('UDP');
  expect(await pod.logs()).toContain('Started HTTP server on port 8090');
});

test('nettest shows which pods have contacted it', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['nettest'] }, agnhost);
  await pod.advance(1);
  expect(await post(pod, 8080, '/write', { Source: 'prestop' })).toEqual({ Hostname: 'web' });
  expect(await post(pod, 8080, '/read', {})).toMatchObject({ Hostname: 'web', Sent: null, Received: { prestop: 1 } });
});

test('the guestbook stores values', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['guestbook', '--http-port=6379'] }, agnhost);
  await pod.advance(1);
  expect(await post(pod, 6379, '/set?key=messages&value=hello', {})).toEqual({ message: 'Updated' });
  expect(await post(pod, 6379, '/get?key=messages', {})).toEqual({ data: 'hello' });
  expect(await post(pod, 6379, '/get?key=', {})).toEqual({ data: { messages: 'hello' } });
});

test('serve-hostname serves raw TCP and UDP, but not beside HTTP', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ args: ['serve-hostname', '--http=false', '--tcp', '--udp'] }, agnhost);
  await pod.advance(1);
  await pod.start({ command: ['sh', '-c', 'nc -w 1 web 9376; echo; echo x | nc -u -w 1 web 9376'] });
  await pod.advance(5);
  expect(await pod.logs()).toBe('web\nweb');
  await pod.start({ args: ['serve-hostname', '--tcp'] }, agnhost);
  await pod.advance(1);
  expect(await pod.logs()).toContain("Can't server TCP/UDP mode and HTTP mode at the same time");
});
