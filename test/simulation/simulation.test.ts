import { expect, test } from 'vitest';
import { type ApiHandler, type ApiRequest, headersOf } from '../../src/meta/index.ts';
import { type RunOptions, run } from './simulate.ts';
import { StoreOfFiles } from './store-of-files.ts';
import { Violation } from './world.ts';

const operations = 40;

test('200 seeds of clients, servers and stores with faults at every step break no rule', async () => {
  const totals = { writes: 0, reads: 0, lives: 0 };
  for (let seed = 0; seed < 200; seed++) {
    const { failure, writes, reads, lives } = await run({ seed, operations });
    if (failure) throw new Error(`npm run simulate -- --seed ${seed} --operations ${operations}`, { cause: failure });
    totals.writes += writes;
    totals.reads += reads;
    totals.lives += lives;
  }
  // Faults must not have kept the clients from working, nor the servers from dying.
  expect(totals.writes).toBeGreaterThan(4000);
  expect(totals.reads).toBeGreaterThan(1000);
  expect(totals.lives).toBeGreaterThan(500);
}, 300_000);

test('a seed gives the same run again, whatever ran before it', async () => {
  const first = await run({ seed: 5, operations });
  await run({ seed: 6, operations });
  expect((await run({ seed: 5, operations })).script).toEqual(first.script);
});

/** The rules that some of the first seeds break when `faulty` is in the way. */
async function broken(faulty: Omit<RunOptions, 'seed' | 'operations'>, enough: string): Promise<ReadonlySet<string>> {
  const rules = new Set<string>();
  for (let seed = 0; seed < 60 && !rules.has(enough); seed++) {
    const { failure } = await run({ seed, operations, ...faulty });
    if (failure) rules.add(failure instanceof Violation ? failure.invariant : failure.message);
  }
  return rules;
}

test('writes that are acknowledged before they are on the disk are found', async () => {
  const rule = 'what was acknowledged is there';
  expect(await broken({ createStore: (world) => new StoreOfFiles(world, 'never') }, rule)).toContain(rule);
}, 60_000);

test('a server that forgets what it has done for a request is found', async () => {
  const forgetting =
    (api: ApiHandler): ApiHandler =>
    (request) => {
      const headers = [...request.headers].filter(([name]) => name !== 'x-tabplane-attempt-id');
      return api({ ...request, headers: headersOf(headers) });
    };
  const rule = 'what was refused leaves nothing';
  expect(await broken({ disturb: forgetting }, rule)).toContain(rule);
}, 60_000);

test('a server that does not look at the version a writer names is found', async () => {
  const careless =
    (api: ApiHandler): ApiHandler =>
    (request) =>
      api(request.method === 'PUT' ? { ...request, body: withoutVersion(request) } : request);
  expect(await broken({ disturb: careless }, 'conflicts are found')).toContain('conflicts are found');
}, 60_000);

test('a server that answers from what it read before is found', async () => {
  const stale = (api: ApiHandler): ApiHandler => {
    const known = new Map<string, Awaited<ReturnType<ApiHandler>>>();
    return async (request) => {
      if (request.method !== 'GET' || request.target.includes('?')) return api(request);
      const answer = known.get(request.target) ?? (await api(request));
      known.set(request.target, answer);
      return answer;
    };
  };
  const rule = 'reads are not older than what was acknowledged';
  expect(await broken({ disturb: stale }, rule)).toContain(rule);
}, 60_000);

/** Watches whose lines are told as `change` says, by their number. */
function watchesWith(change: (line: string, count: number) => readonly string[]): (api: ApiHandler) => ApiHandler {
  let count = 0;
  async function* changed(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
    for await (const chunk of body)
      for (const line of String(chunk).split('\n').filter(Boolean)) for (const told of change(line, ++count)) yield `${told}\n`;
  }
  return (api) => async (request) => {
    const answer = await api(request);
    const { body } = answer;
    const isStream = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    return isStream ? { ...answer, body: changed(body) } : answer;
  };
}

test('a watch that leaves out a change is found', async () => {
  const rule = 'watch reliable and resumable';
  expect(await broken({ disturb: watchesWith((line, count) => (count % 9 === 0 ? [] : [line])) }, rule)).toContain(rule);
}, 60_000);

test('a watch that tells a change twice is found', async () => {
  const rule = 'watch ordered and unique';
  expect(await broken({ disturb: watchesWith((line, count) => (count % 9 === 0 ? [line, line] : [line])) }, rule)).toContain(rule);
}, 60_000);

function withoutVersion({ body }: ApiRequest): Uint8Array {
  const object = JSON.parse(new TextDecoder().decode(body)) as { metadata: { resourceVersion?: string } };
  delete object.metadata.resourceVersion;
  return new TextEncoder().encode(JSON.stringify(object));
}
