import { timePath } from '../../client/index.ts';
import {
  type Clock,
  changeTime,
  hostTime,
  maxSpeed,
  maxStepMs,
  parseTimeChange,
  parseTimeState,
  type TimeChange,
  type TimeState,
  withClusterTime,
} from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, hostErrorResponse } from '../../meta/index.ts';
import type { KeySpace } from '../../storage/index.ts';
import { EventStream } from '../../watch/index.ts';

/** Storage key outside of the API objects; copied with the cluster. */
const timeKey = '/tabplane/time';

/**
 * The owner of a cluster's time, which can be paused, stepped and accelerated. It is stored with the cluster:
 *
 *     GET /~time            {"hostMs":…,"clusterMs":…,"speed":1}, the relation to the host's time
 *     GET /~time?watch=1    followed by one line for each change
 *     PUT /~time            {"speed":0}, {"speed":10} or {"stepMs":10000}
 */
export class RuntimeTime {
  /** Dates of the cluster. Deadlines of requests and other durations are those of the host. */
  readonly clock: Clock;
  readonly #host: Clock;
  readonly #streams = new Set<EventStream>();
  #state: TimeState = hostTime;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(host: Clock) {
    this.#host = host;
    this.clock = withClusterTime(host, () => this.#state);
  }

  /** Continues the stored time. Called once, before the first write to the storage. */
  async load(storage: KeySpace): Promise<void> {
    const stored = await storage.get(timeKey);
    // A copy may have any value; the cluster must open anyway.
    this.#state = parseTimeState(stored?.value ?? '') ?? hostTime;
  }

  /** Handles requests to `/~time`, and passes all others to `next`. */
  wrapHandler(next: ApiHandler, storage: KeySpace): ApiHandler {
    return (request) => {
      if (!request.target.startsWith(timePath)) return next(request);
      const [path, query] = request.target.split('?');
      if (path !== timePath) return next(request);
      if (request.method === 'PUT') return this.#change(request, storage);
      if (request.method !== 'GET') return Promise.resolve(hostErrorResponse(405, 'the time can be read and put'));
      return Promise.resolve(new URLSearchParams(query).has('watch') ? this.#watch(request) : this.#respond());
    };
  }

  close(): void {
    for (const stream of [...this.#streams]) stream.end();
  }

  #change({ body }: ApiRequest, storage: KeySpace): Promise<ApiResponse> {
    const change = parseTimeChange(new TextDecoder().decode(body));
    if (change === undefined) {
      const message = `expected {"speed": 0 to ${maxSpeed}} or {"stepMs": more than 0, at most ${maxStepMs}}`;
      return Promise.resolve(hostErrorResponse(422, message));
    }
    const changed = this.#lastChange.then(() => this.#apply(change, storage));
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  async #apply(change: TimeChange, storage: KeySpace): Promise<ApiResponse> {
    const stored = await storage.get(timeKey);
    const state = changeTime(this.#state, this.#host.nowMs(), change);
    await storage.commit({ key: timeKey, expected: stored?.revision ?? 'absent', value: JSON.stringify(state) });
    this.#state = state;
    for (const stream of this.#streams) stream.write(this.#line());
    return this.#respond();
  }

  #respond(): ApiResponse {
    return { status: 200, headers: [['content-type', 'application/json']], body: this.#line() };
  }

  #watch({ signal }: ApiRequest): ApiResponse {
    const stream = new EventStream(() => this.#streams.delete(stream));
    this.#streams.add(stream);
    signal.addEventListener('abort', () => stream.end());
    stream.write(this.#line());
    return { status: 200, headers: [['content-type', 'application/x-ndjson']], body: stream };
  }

  #line(): string {
    return `${JSON.stringify(this.#state)}\n`;
  }
}
