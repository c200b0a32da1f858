import { expect, test } from 'vitest';
import { createManualClock, createStreamPair, type Outbound, type OutboundRequest } from '../../env/index.ts';
import { headerOf, serveHttp } from '../../http/index.ts';
import { NetworkError } from '../../network/index.ts';
import type { DialTarget } from '../../streaming/dialer.ts';
import { createNetworkOutbound } from './network-outbound.ts';

const request = (url: string): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 10_000,
  tls: { authorities: 'CA', identity: undefined, serverName: 'hook.default.svc', unverified: false },
});

interface Lab {
  readonly outbound: Outbound;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly dialed: DialTarget[];
}

/** A network whose addresses begin with `10.96.`; everything else is answered by the host. */
function createLab(): Lab {
  const dialed: DialTarget[] = [];
  const clock = createManualClock();
  const outbound = createNetworkOutbound({
    outbound: { send: async ({ url }) => ({ status: 200, headers: {}, body: `host ${url}` }) },
    clock,
    dialer: () => ({
      async dial(to) {
        dialed.push(to);
        if (!to.host.startsWith('10.96.')) throw new NetworkError('EHOSTUNREACH', 'connect: no route to host');
        if (to.port === 81) throw new NetworkError('ECONNREFUSED', `dial tcp ${to.host}:81: connect: connection refused`);
        const [client, server] = createStreamPair();
        if (to.port === 443)
          void serveHttp(server, async ({ target, headers }) => ({
            status: 201,
            headers: [['X-A', 'b']],
            body: `${headerOf(headers, 'host')} ${target}`,
          }));
        return client;
      },
    }),
  });
  return { outbound, clock, dialed };
}

test('a request to an address of the network goes through it, with the name of the service', async () => {
  const { outbound, dialed } = createLab();
  const answered = await outbound.send(request('https://10.96.0.9/validate?a=b'));
  expect(answered).toMatchObject({ status: 201, body: 'hook.default.svc /validate?a=b' });
  expect(answered.headers['x-a']).toBe('b');
  expect(dialed).toEqual([{ host: '10.96.0.9', port: 443, tls: { serverName: 'hook.default.svc', authorities: 'CA' } }]);
});

test('names, and addresses without a pod, are reached by the host', async () => {
  const { outbound } = createLab();
  expect((await outbound.send(request('https://example.com/x'))).body).toBe('host https://example.com/x');
  expect((await outbound.send(request('https://192.0.2.1/x'))).body).toBe('host https://192.0.2.1/x');
});

test('a refused connection is unreachable, and a silent server times out', async () => {
  const { outbound, clock } = createLab();
  await expect(outbound.send(request('https://10.96.0.9:81/'))).rejects.toMatchObject({
    code: 'unreachable',
    message: 'dial tcp 10.96.0.9:81: connect: connection refused',
  });
  const silent = expect(outbound.send(request('https://10.96.0.9:82/'))).rejects.toMatchObject({
    code: 'timeout',
    message: 'context deadline exceeded',
  });
  await clock.advance(10_000);
  await silent;
});
