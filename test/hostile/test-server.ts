import { expect } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../src/env/index.ts';
import { createLibraryCluster } from '../../src/hosts/library/index.ts';
import { loadDescriptions } from '../../src/schema/index.ts';
import { copyKeySpace, createMemoryKeySpace, type KeySpaceCopy } from '../../src/storage/index.ts';

/** A request of an untrusted client. */
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

/** A whole server in this process, whose responses and state are checked. */
export interface TestServer {
  /** Returns the status and text of the response; the text of a stream is empty. */
  send(request: HostileRequest): Promise<HostileAnswer>;
  /** Sends, checks the response as `sendChecked` does, and returns its status. */
  sendForStatus(request: HostileRequest): Promise<number>;
  /** Sends, and checks the response: an error must be valid, must arrive in time and must have changed nothing. */
  sendChecked(request: HostileRequest): Promise<HostileAnswer>;
  /** Runs the server's controllers, such as those of definitions, until they are idle. */
  runControllers(): Promise<void>;
}

/** Longer than any response takes here: only a hanging request exceeds it. */
const maxResponseMs = 5_000;

/** An error after the object was created, as in the real server. */
const errorAfterCommit = /^you requested PartialObjectMetadataList/;

/** The objects of a new cluster: a server that finds them starts in half of the time that it takes to create them. */
export const newCluster: Promise<KeySpaceCopy> = createNewCluster();

async function createNewCluster(): Promise<KeySpaceCopy> {
  // Tables load them with the first request: that takes real time, in which the tests would advance the clock.
  await loadDescriptions();
  const clock = createManualClock();
  const storage = createMemoryKeySpace(clock);
  const cluster = await createLibraryCluster({ clock, random: createSeededRandom(2), log: createMemoryLog() }, () => storage, {
    names: 'kubernetes',
  });
  const copy = await copyKeySpace(storage);
  await cluster.close();
  return copy;
}

export async function createTestServer(): Promise<TestServer> {
  const clock = createManualClock();
  const log = createMemoryLog();
  const storage = createMemoryKeySpace(clock, await newCluster);
  const { handle } = await createLibraryCluster({ clock, random: createSeededRandom(1), log }, () => storage, { names: 'kubernetes' });

  const send: TestServer['send'] = async ({ method, target, headers = {}, body }) => {
    const connection = new AbortController();
    const pending = handle({
      method,
      target,
      headers: new Headers({ authorization: 'Bearer admin-token', ...headers }),
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
      signal: connection.signal,
    });
    const response = await advanceUntilSettled(clock, pending);
    connection.abort();
    const streams = typeof response.body === 'object' && !(response.body instanceof Uint8Array);
    const text = streams ? '' : typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
    return { status: response.status, text };
  };

  /** An error is a Status or a plain line, is expected, arrives in time and has changed nothing. */
  const sendChecked: TestServer['sendChecked'] = async (request) => {
    const before = await storage.revision();
    const firstLine = log.lines.length;
    const start = performance.now();
    const { status, text } = await send(request);
    const failures = log.lines.slice(firstLine).filter(({ event }) => event === 'request failed');
    const problems = failures.map(({ details }) => String(details['error']));
    if (performance.now() - start >= maxResponseMs) problems.push(`took longer than ${maxResponseMs} ms`);
    if (status >= 400) {
      // The real server returns 500 for some client errors; they have a message too.
      const message = text.startsWith('{') ? messageOf(text, status) : text;
      if (message === '' && request.method !== 'HEAD' && !isUnknownDocument(request, status)) problems.push('no message');
      if (!errorAfterCommit.test(message) && (await storage.revision()) !== before) problems.push(`changed by a rejected request: ${text}`);
    }
    expectNone(problems);
    return { status, text };
  };
  const sendForStatus: TestServer['sendForStatus'] = async (request) => (await sendChecked(request)).status;
  const runControllers: TestServer['runControllers'] = async () => {
    for (let step = 0; step < 40; step++) await clock.advance(1);
  };
  return { send, sendForStatus, sendChecked, runControllers };
}

/** The real server answers an unknown OpenAPI document with an empty 404. */
function isUnknownDocument({ target }: HostileRequest, status: number): boolean {
  return status === 404 && target.startsWith('/openapi/v3/');
}

/** Advances the clock while a response is pending, such as one that waits for a future resourceVersion. */
async function advanceUntilSettled<T>(clock: ManualClock, response: Promise<T>): Promise<T> {
  let waits = true;
  const settled = response.finally(() => {
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
  if (kind !== 'Status' || code !== status) expectNone([`not a Status of ${status}: ${text}`]);
  return message;
}

/** Many thousand responses are checked, for each of which an `expect` takes as long as the request. */
function expectNone(problems: readonly string[]): void {
  if (problems.length > 0) expect(problems).toEqual([]);
}

/**
 * Options of a property: `count` runs, but not longer than a second, so that slow machines run fewer. HOSTILE_RUNS=20 multiplies both.
 * A failure reports its seed.
 */
export function propertyOptions(count: number): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } {
  const times = Number(process.env['HOSTILE_RUNS'] ?? 1);
  return { numRuns: count * times, interruptAfterTimeLimit: 1_000 * times };
}

/** The timeout of tests that HOSTILE_RUNS multiplies, in milliseconds. */
export const testTimeoutMs = 30_000 * Number(process.env['HOSTILE_RUNS'] ?? 1);
