import { afterEach, expect, test } from 'vitest';
import { createManualClock, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { ApiServerHandler } from '../service-handlers.ts';
import { createPageTransport, servePageApiServers } from './page-api-servers.ts';

const origin = 'https://sample.default.svc';
const request = {
  host: '10.96.0.9',
  port: 443,
  tls: { serverName: 'sample.default.svc', authorities: undefined, identity: undefined, unverified: true },
  method: 'POST',
  target: '/apis/sample.example/v1/flunders?dryRun=All',
  headers: [['x-remote-user', 'carol']] as const,
  body: new TextEncoder().encode('body'),
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

let seed = 0;

function openPage(handler: ApiServerHandler): void {
  stops.push(servePageApiServers(new Map([[origin, handler]]), { random: createSeededRandom(++seed) }));
}

function send(signal = new AbortController().signal, clock: ManualClock = createManualClock()) {
  return createPageTransport({ clock, random: createSeededRandom(++seed) }).send({ ...request, signal });
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of body) text += new TextDecoder().decode(bytes);
  return text;
}

test('one of the pages with a handler answers, with its headers and body', async () => {
  let calls = 0;
  const handler: ApiServerHandler = async ({ method, url, headers, body }) => {
    calls++;
    return Response.json([method, url, headers.get('x-remote-user'), await new Response(body).text()], { status: 201 });
  };
  openPage(handler);
  openPage(handler);
  const response = await send();
  expect(response.status).toBe(201);
  expect(Object.fromEntries(response.headers)['content-type']).toBe('application/json');
  expect(JSON.parse(await textOf(response.body))).toEqual(['POST', `${origin}${request.target}`, 'carol', 'body']);
  expect(calls).toBe(1);
});

test('a body is a stream, which ends in the page when the reader leaves', async () => {
  let cancelled = false;
  openPage(() => {
    const parts = ['one', 'two', 'three'];
    const body = new ReadableStream({
      pull(to) {
        const next = parts.shift();
        if (next !== undefined) to.enqueue(new TextEncoder().encode(next));
        else return new Promise(() => {});
      },
      cancel() {
        cancelled = true;
      },
    });
    return new Response(body);
  });
  const left = new AbortController();
  const { body } = await send(left.signal);
  const read: string[] = [];
  for await (const bytes of body) if (read.push(new TextDecoder().decode(bytes)) === 3) break;
  expect(read).toEqual(['one', 'two', 'three']);
  await expect.poll(() => cancelled).toBe(true);
});

test('an error of the handler is an error of the connection', async () => {
  openPage(() => {
    throw new Error('it is broken');
  });
  await expect(send()).rejects.toMatchObject({ code: 'reset', message: 'it is broken' });
});

test('without a page that has a handler there is no route', async () => {
  const clock = createManualClock();
  const sent = send(undefined, clock);
  const refused = expect(sent).rejects.toMatchObject({ code: 'unreachable', message: 'dial tcp 10.96.0.9:443: connect: no route to host' });
  await clock.advance(1_000);
  await refused;
});

test('a request ends when it is aborted', async () => {
  let isAborted = false;
  openPage(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          reject(new Error('aborted'));
        });
      }),
  );
  const left = new AbortController();
  const sent = send(left.signal);
  const ended = expect(sent).rejects.toThrow('the client left');
  await new Promise((resolve) => setTimeout(resolve, 50));
  left.abort(new Error('the client left'));
  await ended;
  await expect.poll(() => isAborted).toBe(true);
});
