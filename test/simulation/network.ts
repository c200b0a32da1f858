import { TransportError } from '../../src/client/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  createHeaders,
  isJsonObject,
  type ResponseBody,
} from '../../src/meta/index.ts';
import { check, rules } from './checker/violation.ts';
import type { Environment } from './environment.ts';
import type { CommitHistory } from './model/commit-history.ts';
import { writeIds } from './model/object-view.ts';
import { attemptIdHeader } from './model/write-request.ts';

/** A server that clients can send requests to. */
export interface Server {
  readonly name: string;
  readonly handle: ApiHandler;
  /** Rejects when its process dies: every pending request fails. */
  readonly died: Promise<never>;
  /** The newest revision of all its responses. */
  shownRevision: number;
  /** Errors it has logged, for the report of a violation. */
  errors(): string;
}

/** A response with the state of the history when the request arrived and when it was answered. */
export interface Delivered {
  readonly response: ApiResponse;
  /** The parsed body, unless it is a stream. */
  readonly body: unknown;
  readonly server: Server;
  readonly arrival: { readonly newest: number; readonly shown: number; readonly compacted: number };
  /** The newest revision when the server had answered. */
  readonly newest: number;
}

export interface NetworkOptions {
  readonly environment: Environment;
  readonly history: CommitHistory;
  /** A running server; undefined: none. */
  readonly reach: () => Server | undefined;
}

export type Network = (request: ApiRequest) => Promise<Delivered>;

/** The error of a request without a response. */
export const lost = (what: string): TransportError => new TransportError('network', what);

/** Between clients and servers: requests, responses and streams are delayed and lost. Checks every server error at once. */
export function createNetwork({ environment, history, reach }: NetworkOptions): Network {
  const { clock, random, once, faults } = environment;
  const lag = async (): Promise<void> => {
    if (once(4)) await clock.sleep(random.integer(8));
  };
  return async (request) => {
    environment.coverage.count('requests');
    await lag();
    const server = reach();
    if (!server) throw lost('no server answers');
    if (faults.enabled && once(40)) throw lost('the request was lost');
    const headers = createHeaders([...request.headers, ['authorization', 'Bearer admin']]);
    const arrivedMs = clock.monotonicMs();
    const arrival = { newest: history.newest, shown: server.shownRevision, compacted: history.compaction.atLeast };
    const response = await Promise.race([server.handle({ ...request, headers, signal: new AbortController().signal }), server.died]);
    const newest = history.newest;
    const body = typeof response.body === 'string' ? (JSON.parse(response.body) as unknown) : undefined;
    if (response.status < 300) server.shownRevision = Math.max(server.shownRevision, shownBy(body));
    const delivered = { response, body, server, arrival, newest };
    if (response.status >= 500) checkServerError(request, delivered, arrivedMs);
    await lag();
    if (faults.enabled && once(40)) throw lost('the response was lost');
    return { ...delivered, response: { ...response, body: carried(response.body, server) } };
  };

  function checkServerError(
    { method, target, headers }: ApiRequest,
    { response, body, server, arrival }: Delivered,
    arrivedMs: number,
  ): void {
    const message = isJsonObject(body) ? String(body['message']) : '';
    const tooLarge = /^(?:Timeout: )?Too large resource version: (\d+), current: /.exec(message);
    const detail = (): string => `${response.status} ${message} to ${method} ${target}: ${server.errors()}`;
    if (tooLarge) {
      check(Number(tooLarge[1]) > arrival.newest, rules.serverError, detail);
      environment.coverage.count('504 too large resource version');
      return;
    }
    const repeated = /^Timeout: the request was carried out at resource version (\d+) before its answer was lost/.exec(message);
    if (repeated) {
      const isOwn = hasNoAnswer(history, Number(repeated[1]), headers.get(attemptIdHeader) ?? '');
      check(isOwn, rules.repeated, detail);
      environment.coverage.count('504 repeated write overwritten');
      return;
    }
    const isExpected = /^etcdserver: |^Timeout: /.test(message);
    check(isExpected && faults.wasInForce(arrivedMs, clock.monotonicMs()), rules.serverError, detail);
    environment.coverage.count('5xx during a fault');
  }

  function carried(body: ApiResponse['body'], server: Server): ResponseBody {
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
    return stream(body, server);
  }

  async function* stream(body: AsyncIterable<string | Uint8Array>, server: Server): AsyncGenerator<string | Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), server.died]);
        if (next.done) return;
        await lag();
        if (faults.enabled && once(60)) throw lost('the stream broke');
        yield next.value;
      }
    } finally {
      void chunks.return?.();
    }
  }
}

/**
 * Whether the commit at `revision` belongs to the attempt `id` and its response can no longer be computed: its object has changed since, or
 * its deletion is compacted.
 */
function hasNoAnswer(history: CommitHistory, revision: number, id: string): boolean {
  const commit = history.commitAt(revision);
  if (!commit) return false;
  const { kind, name, after } = commit;
  const isOwn = !after || after.view.isTerminating || writeIds(after.view).has(id);
  const isCompacted = !after && revision <= history.compaction.atMost;
  return isOwn && (isCompacted || history.commitsOf(kind, name).some((later) => later.revision > revision));
}

function shownBy(body: unknown): number {
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return 0;
  return Number(body['metadata']['resourceVersion'] ?? 0);
}
