import { isStreaming, stagesOf, TransportError, userOf } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  attemptIdHeader,
  type RequestTrace,
  type StageTrace,
} from '../../meta/index.ts';

/** Who sent a request: a command of this console, the user on a screen (with its address), the console for itself (completion, menus), the cluster's own controllers, or somebody else. */
export type RequestSource =
  | { readonly kind: 'command'; readonly id: number }
  | { readonly kind: 'action'; readonly screen: string; readonly at: string }
  | { readonly kind: 'internal' }
  | { readonly kind: 'cluster' }
  | { readonly kind: 'other' };

/** One request as the console knows it. Grows while it is under way. */
export interface RequestRecord {
  /** The attempt id, or the audit id of a request that had none. */
  readonly id: string;
  readonly source: RequestSource;
  readonly method: string;
  readonly target: string;
  readonly startMs: number;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly requestBody: string;
  /** 0 while there is no answer; 599 when there never was one. */
  status: number;
  ms: number;
  user: string;
  auditId: string;
  responseHeaders: readonly (readonly [name: string, value: string])[];
  responseBody: string;
  /** Of a stream, the bytes that have come; of the rest, the length of the body. */
  bytes: number;
  state: 'running' | 'streaming' | 'done';
  stages: readonly StageTrace[];
}

/** Whom the server is to itself. */
const ownUser = 'system:apiserver';
const recordsMax = 10_000;
/** Bodies are shown to people; nobody reads more of one than this. */
const bodyMax = 64 * 1024;
/** Bodies are kept for the newest requests only. */
const bodiesMax = 500;

/** The last ten thousand requests of this cluster, those of other tabs included. */
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

  of(commandId: number): readonly RequestRecord[] {
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

  /** `api`, with every request written down under `source`. */
  recording(api: ApiHandler, source: RequestSource, sent: (record: RequestRecord) => void = () => undefined): ApiHandler {
    return async (request) => {
      const headers = new Headers([...request.headers]);
      if (!headers.has(attemptIdHeader)) headers.set(attemptIdHeader, this.#env.random.uuid());
      const identified: ApiRequest = { ...request, headers };
      const record = this.#open(identified, source);
      sent(record);
      const from = this.#env.clock.monotonicMs();
      const elapsed = (): number => this.#env.clock.monotonicMs() - from;
      try {
        return this.#answered(record, await api(identified), elapsed);
      } catch (error) {
        this.#failed(record, error, elapsed());
        throw error;
      }
    };
  }

  /** What a host tells of requests: adds the stages to ours, and those that others sent. */
  hear(traces: readonly RequestTrace[]): void {
    for (const trace of traces) {
      const known = this.#byId.get(trace.attemptId) ?? this.#byId.get(trace.auditId);
      if (known === undefined) this.#add(recordOf(trace));
      else Object.assign(known, { stages: trace.stages.length > 0 ? trace.stages : known.stages, user: trace.user || known.user });
    }
    if (traces.length > 0) this.#changed();
  }

  #open({ method, target, headers, body }: ApiRequest, source: RequestSource): RequestRecord {
    const record: RequestRecord = {
      id: headers.get(attemptIdHeader) ?? '',
      source,
      method,
      target,
      startMs: this.#env.clock.nowMs(),
      requestHeaders: [...headers],
      requestBody: body === undefined ? '' : shown(body),
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

  #answered(record: RequestRecord, answer: ApiResponse, elapsed: () => number): ApiResponse {
    const { status, headers, body } = answer;
    const header = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
    const stages = stagesOf(header('server-timing'));
    const user = record.user || userOf(stages);
    Object.assign(record, { status, responseHeaders: headers, auditId: header('audit-id'), ms: elapsed(), user });
    if (record.stages.length === 0) record.stages = stages;
    const streamed = typeof body === 'object' && Symbol.asyncIterator in body;
    if (streamed) record.state = isStreaming(record.target) ? 'streaming' : 'running';
    else Object.assign(record, { state: 'done', responseBody: body === undefined ? '' : shown(body), bytes: body?.length ?? 0 });
    this.#changed();
    return streamed ? { ...answer, body: this.#counted(record, body, elapsed) } : answer;
  }

  async *#counted(
    record: RequestRecord,
    body: AsyncIterable<string | Uint8Array>,
    elapsed: () => number,
  ): AsyncGenerator<string | Uint8Array> {
    try {
      for await (const chunk of body) {
        record.bytes += chunk.length;
        if (record.responseBody.length < bodyMax) record.responseBody += shown(chunk);
        yield chunk;
      }
    } finally {
      Object.assign(record, { state: 'done', ms: elapsed() });
      this.#changed();
    }
  }

  #failed(record: RequestRecord, error: unknown, ms: number): void {
    const message = error instanceof Error ? error.message : String(error);
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
    // In steps of a tenth, so that a busy log does not copy itself for every request.
    for (const gone of this.#records.splice(0, this.#records.length - recordsMax)) {
      this.#byId.delete(gone.id);
      this.#byId.delete(gone.auditId);
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function recordOf(trace: RequestTrace): RequestRecord {
  const { auditId, attemptId, method, target, status, user, startMs, ms, stages } = trace;
  const known = { method, target, status, user, auditId, startMs, ms, stages };
  const none = { requestHeaders: [], requestBody: '', responseHeaders: [], responseBody: '', bytes: 0 };
  return { ...none, ...known, id: attemptId || auditId, source: { kind: user === ownUser ? 'cluster' : 'other' }, state: 'done' };
}

function shown(body: string | Uint8Array): string {
  if (typeof body === 'string') return body.slice(0, bodyMax);
  return new TextDecoder().decode(body.subarray(0, bodyMax));
}
