import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { type ApiRequest, createFeatureGates, createHeaders, productByName } from '../../meta/index.ts';
import { KubeletUnreachable, type RemoteCommand, type StreamProtocols } from '../index.ts';
import { createScriptedKubelet } from '../scripted-kubelet.test-support.ts';
import { channelTexts, onChannel, openFakeSocket } from './fake-socket.test-support.ts';
import { createStreamProtocols } from './index.ts';

const protocolsWith = (gates: string): StreamProtocols =>
  createStreamProtocols({
    product: productByName('kubernetes'),
    featureGates: createFeatureGates(gates),
    clock: createManualClock(),
    createCompression: () => {
      throw new Error('not used');
    },
  });
const protocols = protocolsWith('');

function requestOf(headers: Readonly<Record<string, string>>): ApiRequest {
  return {
    method: 'POST',
    target: '/',
    headers: createHeaders(Object.entries(headers)),
    body: undefined,
    signal: new AbortController().signal,
  };
}

const webSocket = (protocol: string): ApiRequest =>
  requestOf({ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': protocol });

function exec(
  command: readonly string[],
  { container = 'main', ...more }: { container?: string; tty?: boolean; stdin?: boolean } = {},
): RemoteCommand {
  const streams = { stdin: false, stdout: true, stderr: true, tty: false, ...more };
  const kubelet = createScriptedKubelet();
  const target = { namespace: 'default', name: 'web', uid: 'u', container };
  return { kind: 'exec', streams, command, open: (opened) => kubelet.exec({ ...target, ...opened, command }) };
}

const parsed = (text: string | undefined): unknown => JSON.parse((text ?? '').slice(2));

test('version 5 sends an empty message, the output and the status', async () => {
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), exec(['echo', 'hi'])));
  await client.served;
  const texts = channelTexts(client.received);
  expect(texts).toEqual(['1:', '1:hi\n', '3:{"metadata":{},"status":"Success"}']);
});

test('version 5 reports an exit code in the words of the API server, version 4 in those of the kubelet', async () => {
  const status = async (protocol: string): Promise<unknown> => {
    const client = openFakeSocket(await protocols.remoteCommand(webSocket(protocol), exec(['fail', '3'])));
    await client.served;
    return parsed(channelTexts(client.received).at(-1));
  };
  const common = {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  };
  const prefix = 'command terminated with non-zero exit code: ';
  expect(await status('v5.channel.k8s.io')).toEqual({ ...common, message: `${prefix}command terminated with exit code 3` });
  expect(await status('v4.channel.k8s.io')).toEqual({ ...common, message: `${prefix}error executing command [fail 3], exit code 3` });
});

test('before version 4 the error channel has a text, and nothing for success', async () => {
  const failed = openFakeSocket(await protocols.remoteCommand(webSocket('channel.k8s.io'), exec(['fail', '3'])));
  await failed.served;
  expect(channelTexts(failed.received).at(-1)).toBe(
    '3:command terminated with non-zero exit code: error executing command [fail 3], exit code 3',
  );
  const succeeded = openFakeSocket(await protocols.remoteCommand(webSocket('channel.k8s.io'), exec(['echo', 'x'])));
  await succeeded.served;
  expect(channelTexts(succeeded.received)).toEqual(['1:', '1:x\n']);
});

test('base64 messages are texts that begin with the digit of their channel', async () => {
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v4.base64.channel.k8s.io'), exec(['cat'], { stdin: true })));
  client.send(`0${btoa('abc')}`);
  await expect.poll(() => client.received).toEqual(['1', `1${btoa('abc')}`]);
  client.disconnect();
  await client.served;
});

test('a message of byte 255 ends a channel in version 5', async () => {
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), exec(['cat'], { stdin: true })));
  client.send(onChannel(0, 'in'));
  client.send(Uint8Array.of(255, 0));
  await client.served;
  expect(channelTexts(client.received)).toEqual(['1:', '1:in', '3:{"metadata":{},"status":"Success"}']);
});

test('sizes of the terminal reach the process', async () => {
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), exec(['size'], { tty: true })));
  client.send(onChannel(4, '{"Width":80,'));
  client.send(onChannel(4, '"Height":24}'));
  await client.served;
  expect(channelTexts(client.received)[1]).toBe('1:80x24\n');
});

test('a client that disconnects aborts the session', async () => {
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), exec(['wait'])));
  client.disconnect();
  await client.served;
  expect(channelTexts(client.received)).toEqual(['1:']);
});

test('the refusal of a kubelet is its response, in version 5 a status', async () => {
  const command = exec(['echo'], { container: 'other' });
  expect(await protocols.remoteCommand(webSocket('v4.channel.k8s.io'), command)).toMatchObject({
    status: 500,
    body: 'container not found ("other")',
  });
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), command));
  await client.served;
  const message = 'unable to upgrade connection: container not found ("other")';
  expect(parsed(channelTexts(client.received).at(-1))).toEqual({
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  });
});

test('an unreachable kubelet is a status in version 5, and an error for the caller before', async () => {
  const open = (): Promise<never> =>
    Promise.reject(new KubeletUnreachable('https://10.0.0.1:10250/exec/a/b/c', 'dial tcp 10.0.0.1:10250: connect: no route to host'));
  const command: RemoteCommand = { ...exec(['echo']), open };
  const client = openFakeSocket(await protocols.remoteCommand(webSocket('v5.channel.k8s.io'), command));
  await client.served;
  expect(parsed(channelTexts(client.received).at(-1))).toMatchObject({
    message:
      'Internal error occurred: error sending request: Post "https://10.0.0.1:10250/exec/a/b/c": dial tcp 10.0.0.1:10250: connect: no route to host',
  });
  await expect(protocols.remoteCommand(webSocket('v4.channel.k8s.io'), command)).rejects.toThrow(KubeletUnreachable);
});

test('unknown protocols are refused', async () => {
  expect((await protocols.remoteCommand(webSocket('v9.channel.k8s.io'), exec(['echo']))).status).toBe(403);
  const spdy = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  expect(await protocols.remoteCommand(requestOf(spdy), exec(['echo']))).toMatchObject({
    status: 400,
    body: 'unable to upgrade: X-Stream-Protocol-Version is required\n',
  });
  expect(await protocols.remoteCommand(requestOf({ ...spdy, 'x-stream-protocol-version': 'v9' }), exec(['echo']))).toMatchObject({
    status: 403,
    headers: [
      ...['v4.', 'v3.', 'v2.', ''].map((version) => ['x-accepted-stream-protocol-versions', `${version}channel.k8s.io`]),
      ['content-type', 'text/plain; charset=utf-8'],
    ],
    body: 'unable to upgrade: unable to negotiate protocol: client supports [v9], server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]\n',
  });
});

test('without the gate of the translation version 5 is unknown', async () => {
  const off = protocolsWith('TranslateStreamCloseWebsocketRequests=false');
  expect((await off.remoteCommand(webSocket('v5.channel.k8s.io'), exec(['echo']))).status).toBe(403);
});
