import { afterEach, expect, test, vi } from 'vitest';
import type { ApiRequest } from '../../meta/index.ts';
import { connectRemoteServer } from './remote-server.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const handle = connectRemoteServer({ baseUrl: 'https://server:6443/', names: 'kubernetes' });

const requestWith = (headers: Record<string, string>, more: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  target: '/api/v1/pods',
  headers: new Headers(headers),
  body: undefined,
  signal: new AbortController().signal,
  ...more,
});

test('long values of Accept, which other origins may not send, lose their middle alternatives', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push(`${url} ${new Headers(init.headers).get('accept')}`);
    return new Response('{}');
  });
  const alternative = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  await handle(requestWith({ accept: `${alternative('v2')},${alternative('v2beta1')},application/json` }));
  await handle(requestWith({ accept: 'application/json' }));
  await handle(requestWith({}));
  expect(sent).toEqual([
    `https://server:6443/api/v1/pods ${alternative('v2')},application/json`,
    'https://server:6443/api/v1/pods application/json',
    'https://server:6443/api/v1/pods */*',
  ]);
});

test('a connection as another user is refused, since a WebSocket of a page has no headers', async () => {
  const opened: string[] = [];
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      constructor(url: string, protocols: readonly string[]) {
        super();
        opened.push(`${url} ${protocols.join(' ')}`);
        queueMicrotask(() => this.dispatchEvent(new Event('open')));
      }
    },
  );
  const headers = { authorization: 'Bearer admin-token', 'sec-websocket-protocol': 'v5.channel.k8s.io' };
  const exec = { target: '/api/v1/namespaces/default/pods/web/exec?command=ls', acceptsUpgrade: true };
  await expect(handle(requestWith({ ...headers, 'impersonate-user': 'bob' }, exec))).rejects.toThrow('cannot impersonate');
  expect(opened).toEqual([]);
  expect((await handle(requestWith(headers, exec))).status).toBe(101);
  expect(opened).toEqual([
    'wss://server:6443/api/v1/namespaces/default/pods/web/exec?command=ls v5.channel.k8s.io base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4',
  ]);
});
