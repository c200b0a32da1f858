import { authenticatedUser, isStreaming, parseServerTiming, TransportError } from '../../client/index.ts';
import { type Env, errorMessage } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  attemptIdHeader,
  type RequestTrace,
  type StageTrace,
} from '../../meta/index.ts';

/** The origin of a request: a command, a user action on a screen (with its address), the console itself (completion, menus), a component of the cluster, or another client. */
export type RequestSource =
  | { readonly kind: 'command'; readonly id: number }
  | { readonly kind: 'action'; readonly screen: string; readonly at: string }
  | { readonly kind: 'internal' }
  | { readonly kind: 'cluster' }
  | { readonly kind: 'other' };

/** One logged request. Updated while it is in flight. */
export interface RequestRecord {
  /** The attempt id, or the audit id of a request without one. */
  readonly id: string;
  readonly source: RequestSource;
  readonly method: string;
  readonly target: string;
  readonly startMs: number;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly requestBody: string;
  /** 0 before the response; 599 when the connection failed. */
  status: number;
  ms: number;
  user: string;
  auditId: string;
  responseHeaders: readonly (readonly [name: string, value: string])[];
  responseBody: string;
  /** Bytes received so far for a stream, else the length of the body. */
  bytes: number;
  state: 'running' | 'streaming' | 'done';
  stages: readonly StageTrace[];
}

/** The users of the server's loopback client, the controllers, the scheduler and the nodes, in both products. */
const componentUser = /^system:(?:apiserver$|serviceaccount:[a-z]+-system:|[a-z]+-scheduler$|node:)/;
const recordsMax = 10_000;
/** Maximum body length that is stored for display, in characters. */
const bodyMax = 64 * 1024;
/** Number of newest requests that retain their full bodies. */
const bodiesMax = 500;

/** The last ten thousand requests of this cluster, including those of other tabs. */
export class RequestLog {
  readonly #env: Env;
  readonly #listeners = new Set<() => void>();
  #records: RequestRecord[] = [];
  readonly #byId = new Map<string, RequestRecord>();

  constructor(env: Env) {
    this.#env = env;
  }

  get records(): readonly RequestRecord[] {
    return this.#records;
  }

  find(id: string): RequestRecord | undefined {
    return this.#byId.get(id);
  }

  ofCommand(commandId: number): readonly RequestRecord[] {
    return this.#records.filter(({ source }) => source.kind === 'command' && source.id === commandId);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#records = [];
    this.#byId.clear();
    this.#changed();
  }

  /** Wraps `api` and records every request with `source`. */
  withRecording(api: ApiHandler, source: RequestSource, onRecord: (record: RequestRecord) => void = () => undefined): ApiHandler {
    return async (request) => {
      const headers = new Headers([...request.headers]);
      if (!headers.has(attemptIdHeader)) headers.set(attemptIdHeader, this.#env.random.uuid());
      const identified: ApiRequest = { ...request, headers };
      const record = this.#openRecord(identified, source);
      onRecord(record);
      const from = this.#env.clock.monotonicMs();
      const elapsed = (): number => this.#env.clock.monotonicMs() - from;
      try {
        return this.#recordResponse(record, await api(identified), elapsed);
      } catch (error) {
        this.#recordFailure(record, error, elapsed());
        throw error;
      }
    };
  }

  /** Adds traces from the host: stages for known requests, new records for requests of other clients. */
  addTraces(traces: readonly RequestTrace[]): void {
    for (const trace of traces) {
      const known = this.#byId.get(trace.attemptId) ?? this.#byId.get(trace.auditId);
      if (known === undefined) this.#add(recordFromTrace(trace));
      else Object.assign(known, { stages: trace.stages.length > 0 ? trace.stages : known.stages, user: trace.user || known.user });
    }
    if (traces.length > 0) this.#changed();
  }

  #openRecord({ method, target, headers, body }: ApiRequest, source: RequestSource): RequestRecord {
    const record: RequestRecord = {
      id: headers.get(attemptIdHeader) ?? '',
      source,
      method,
      target,
      startMs: this.#env.clock.nowMs(),
      requestHeaders: [...headers],
      requestBody: body === undefined ? '' : decodeBody(body),
      status: 0,
      ms: 0,
      user: '',
      auditId: '',
      responseHeaders: [],
      responseBody: '',
      bytes: 0,
      state: 'running',
      stages: [],
    };
    this.#add(record);
    this.#changed();
    return record;
  }

  #recordResponse(record: RequestRecord, answer: ApiResponse, elapsed: () => number): ApiResponse {
    const { status, headers, body } = answer;
    const header = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
    const stages = parseServerTiming(header('server-timing'));
    const user = record.user || authenticatedUser(stages);
    Object.assign(record, { status, responseHeaders: headers, auditId: header('audit-id'), ms: elapsed(), user });
    if (record.stages.length === 0) record.stages = stages;
    const streamed = typeof body === 'object' && Symbol.asyncIterator in body;
    if (streamed) record.state = isStreaming(record.target) ? 'streaming' : 'running';
    else Object.assign(record, { state: 'done', responseBody: body === undefined ? '' : decodeBody(body), bytes: body?.length ?? 0 });
    this.#changed();
    return streamed ? { ...answer, body: this.#recordStream(record, body, elapsed) } : answer;
  }

  async *#recordStream(
    record: RequestRecord,
    body: AsyncIterable<string | Uint8Array>,
    elapsed: () => number,
  ): AsyncGenerator<string | Uint8Array> {
    try {
      for await (const chunk of body) {
        record.bytes += chunk.length;
        if (record.responseBody.length < bodyMax) record.responseBody += decodeBody(chunk);
        yield chunk;
      }
    } finally {
      Object.assign(record, { state: 'done', ms: elapsed() });
      this.#changed();
    }
  }

  #recordFailure(record: RequestRecord, error: unknown, ms: number): void {
    const message = errorMessage(error);
    const status = error instanceof TransportError ? 599 : 0;
    Object.assign(record, { state: 'done', status, ms, responseBody: message });
    this.#changed();
  }

  #add(record: RequestRecord): void {
    this.#records.push(record);
    this.#byId.set(record.id, record);
    if (record.auditId !== '') this.#byId.set(record.auditId, record);
    const stale = this.#records[this.#records.length - bodiesMax];
    if (stale !== undefined && stale.state === 'done') Object.assign(stale, { responseBody: stale.responseBody.slice(0, 2_000) });
    if (this.#records.length <= recordsMax * 1.1) return;
    // Evicts in steps of a tenth, so that a busy log is not copied for every request.
    for (const evicted of this.#records.splice(0, this.#records.length - recordsMax)) {
      this.#byId.delete(evicted.id);
      this.#byId.delete(evicted.auditId);
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function recordFromTrace(trace: RequestTrace): RequestRecord {
  const { auditId, attemptId, method, target, status, user, startMs, ms, stages } = trace;
  const known = { method, target, status, user, auditId, startMs, ms, stages };
  const none = { requestHeaders: [], requestBody: '', responseHeaders: [], responseBody: '', bytes: 0 };
  return { ...none, ...known, id: attemptId || auditId, source: { kind: componentUser.test(user) ? 'cluster' : 'other' }, state: 'done' };
}

function decodeBody(body: string | Uint8Array): string {
  if (typeof body === 'string') return body.slice(0, bodyMax);
  return new TextDecoder().decode(body.subarray(0, bodyMax));
}
