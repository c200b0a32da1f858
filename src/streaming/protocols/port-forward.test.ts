import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { type ApiRequest, createFeatureGates, createHeaders, productByName } from '../../meta/index.ts';
import type { PortForward, StreamProtocols } from '../index.ts';
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

const webSocket = (protocol: string): ApiRequest => ({
  method: 'GET',
  target: '/',
  headers: createHeaders([
    ['connection', 'Upgrade'],
    ['upgrade', 'websocket'],
    ['sec-websocket-protocol', protocol],
  ]),
  body: undefined,
  signal: new AbortController().signal,
});

function forward(...ports: string[]): PortForward {
  const pod = { namespace: 'default', name: 'web', uid: 'u1' };
  return { pod, ports, open: () => createScriptedKubelet().portForward(pod) };
}

test('each port has a channel of data and one of errors, which begin with the port', async () => {
  const client = openFakeSocket(await protocols.forwardPorts(webSocket('v4.channel.k8s.io'), forward('80,81')));
  await expect.poll(() => client.received.length).toBe(5);
  expect(client.received.slice(0, 4).map((message) => [...(message as Uint8Array)])).toEqual([
    [0, 80, 0],
    [1, 80, 0],
    [2, 81, 0],
    [3, 81, 0],
  ]);
  expect(channelTexts(client.received)[4]).toBe(
    '3:error forwarding port 81 to pod web, uid u1: dial tcp4 127.0.0.1:81: connect: connection refused',
  );
  client.send(onChannel(0, 'hello'));
  await expect.poll(() => channelTexts(client.received)[5]).toBe('0:HELLO');
  client.disconnect();
  await client.served;
});

test('channels need a port that is not zero', async () => {
  expect(await protocols.forwardPorts(webSocket('v4.channel.k8s.io'), forward())).toMatchObject({
    status: 400,
    body: 'query parameter "port" is required',
  });
  expect(await protocols.forwardPorts(webSocket('v4.channel.k8s.io'), forward('0'))).toMatchObject({
    status: 400,
    body: 'port "0" must be > 0',
  });
});

test('a tunnel of an unknown protocol is refused', async () => {
  expect(await protocols.forwardPorts(webSocket('SPDY/3.1+x.k8s.io'), forward())).toMatchObject({
    status: 403,
    body: 'unable to upgrade: unable to negotiate protocol: client supports [x.k8s.io], server accepts [portforward.k8s.io]\n',
  });
});

test('without the gate of tunnels their protocol is unknown', async () => {
  const off = protocolsWith('PortForwardWebsockets=false');
  expect((await off.forwardPorts(webSocket('SPDY/3.1+portforward.k8s.io'), forward('80'))).status).toBe(403);
});
