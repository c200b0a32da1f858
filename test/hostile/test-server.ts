import { expect } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../src/env/index.ts';
import { createLibraryCluster } from '../../src/hosts/library/index.ts';
import { createMemoryKeySpace } from '../../src/storage/index.ts';

/** A request as a stranger may send it. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HostileAnswer {
  readonly status: number;
  /** Empty for a stream. */
  readonly text: string;
}

/** A whole server in this process, that is asked and then looked at. */
export interface World {
  /** The answer's status and text; of a stream only that it is one. */
  send(request: HostileRequest): Promise<HostileAnswer>;
  /** Sends, and expects of the answer what every answer owes: see `fair`. */
  endure(request: HostileRequest): Promise<number>;
  /** The same, with the whole answer. */
  receive(request: HostileRequest): Promise<HostileAnswer>;
  /** Lets the server's own controllers come to rest, as those of definitions. */
  settle(): Promise<void>;
}

/** Longer than any answer may take here, so that only what hangs is caught. */
const patienceMs = 5_000;

/** Told after the object was made, as the real server does. */
const toldTooLate = /^you requested PartialObjectMetadataList/;

export async function createWorld(): Promise<World> {
  const clock = createManualClock();
  const log = createMemoryLog();
  const storage = createMemoryKeySpace(clock);
  const { handle } = await createLibraryCluster({ clock, random: createSeededRandom(1), log }, storage, { names: 'kubernetes' });

  const send: World['send'] = async ({ method, target, headers = {}, body }) => {
    const leaves = new AbortController();
    const asked = handle({
      method,
      target,
      headers: new Headers({ authorization: 'Bearer admin-token', ...headers }),
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
      signal: leaves.signal,
    });
    const response = await passing(clock, asked);
    leaves.abort();
    const streams = typeof response.body === 'object' && !(response.body instanceof Uint8Array);
    const text = streams ? '' : typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
    return { status: response.status, text };
  };

  /** A refusal is a Status or a plain line, is no bug of ours, comes in time and has changed nothing. */
  const receive: World['receive'] = async (request) => {
    const before = await storage.revision();
    const unforeseen = log.lines.length;
    const start = performance.now();
    const { status, text } = await send(request);
    const failures = log.lines.slice(unforeseen).filter(({ event }) => event === 'request failed');
    expect(failures.map(({ details }) => details['error'])).toEqual([]);
    expect(performance.now() - start).toBeLessThan(patienceMs);
    if (status < 400) return { status, text };
    // The real server has a 500 of its own for some of its clients' errors; they are told in words too.
    const message = text.startsWith('{') ? messageOf(text, status) : text;
    if (request.method !== 'HEAD' && !isUnknownDocument(request, status)) expect(message).not.toBe('');
    if (!toldTooLate.test(message)) expect(await storage.revision(), `changed by what was refused: ${text}`).toBe(before);
    return { status, text };
  };
  const endure: World['endure'] = async (request) => (await receive(request)).status;
  const settle: World['settle'] = async () => {
    for (let step = 0; step < 40; step++) await clock.advance(1);
  };
  return { send, endure, receive, settle };
}

/** The real server answers an unknown OpenAPI document with an empty 404. */
function isUnknownDocument({ target }: HostileRequest, status: number): boolean {
  return status === 404 && target.startsWith('/openapi/v3/');
}

/** Time goes on while an answer waits for it: for a version that does not come, say. */
async function passing<T>(clock: ManualClock, answer: Promise<T>): Promise<T> {
  let waits = true;
  const settled = answer.finally(() => {
    waits = false;
  });
  for (let turn = 0; waits && turn < 1000; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (waits && turn > 3) await clock.advance(1_000);
  }
  return settled;
}

function messageOf(text: string, status: number): string {
  const { kind, message = '', code } = JSON.parse(text);
  expect({ kind, code }).toEqual({ kind: 'Status', code: status });
  return message;
}

/**
 * How a property is tried: as often as that, but not longer than a second, so that slow machines try less. HOSTILE_RUNS=20 multiplies both.
 * What fails tells its seed.
 */
export function attempts(count: number): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } {
  const times = Number(process.env['HOSTILE_RUNS'] ?? 1);
  return { numRuns: count * times, interruptAfterTimeLimit: 1_000 * times };
}

/** For tests that may be multiplied, in milliseconds. */
export const patience = 30_000 * Number(process.env['HOSTILE_RUNS'] ?? 1);
