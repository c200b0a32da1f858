import { isRead } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, attemptIdHeader } from '../../meta/index.ts';
import { checksum } from '../../storage/index.ts';
import type { AnsweredAttempts, EarlierInstance } from './answered-attempts.ts';

/** Browsers repeat events right after the start of the new instance. */
const repetitionWindowMs = 10_000;
/** Ids include the time span, so that old commits are never matched; the current span and two previous ones are checked. */
const spanMs = 10_000;
const spans = 3;
/** Limit of equal concurrent requests that are distinguished. */
const equalMax = 4;

/**
 * Detects fetch events that the browser repeats. When a worker is stopped, Chromium passes its unanswered events to the next instance,
 * once. A write that was committed but not answered would then conflict with itself: 409 for an object that the page has just created.
 * Events have no identity, so each plain write (without an attempt id header) gets an id from the instance, the page and the content of
 * the request, and answered ids are stored durably. A repetition is a write that
 *
 * - arrives at a new instance, within seconds of its start, from the same page (a client id identifies one load of it),
 * - with the same method, target, headers and body (method, target and body are part of the key of the commit, see `attemptKeys`),
 * - and was committed by the previous instance within the last half minute under an id that is not recorded as answered.
 *
 * Each content is matched once. A page that sends equal writes on purpose has received the response to the first.
 */
export class FetchAttempts {
  readonly #answered: AnsweredAttempts;
  readonly #env: Pick<Env, 'clock' | 'random'>;
  readonly #instance: string;
  readonly #startMs: number;
  #earlier: Promise<EarlierInstance | undefined> | undefined;
  /** Number of requests with the same content in the current span. */
  readonly #counts = new Map<string, number>();
  #countedSpan = 0;
  readonly #matched = new Set<string>();

  constructor(answered: AnsweredAttempts, env: Pick<Env, 'clock' | 'random'>) {
    this.#answered = answered;
    this.#env = env;
    this.#instance = env.random.uuid().slice(0, 8);
    this.#startMs = env.clock.nowMs();
  }

  /** Wraps `handle` for requests of the page or worker `clientId`, which is empty for a navigation. */
  wrapHandler(clientId: string, handle: ApiHandler): ApiHandler {
    return async (request) => {
      if (clientId === '' || isRead(request.method) || request.headers.get(attemptIdHeader) !== null) return handle(request);
      const receivedMs = this.#env.clock.nowMs();
      // Durable before the first commit: the next instance needs this instance's id.
      this.#earlier ??= this.#answered.begin(this.#instance);
      const earlier = await this.#earlier;
      const content = contentKeyOf(clientId, request);
      const id = this.#newId(content, receivedMs);
      const earlierIds = receivedMs - this.#startMs < repetitionWindowMs ? this.#earlierIds(earlier, content, receivedMs) : [];
      const answer = await handle({ ...request, attempt: { id, earlierIds } });
      this.#answered.record(id, this.#env.clock.nowMs());
      return answer;
    };
  }

  #newId(content: string, nowMs: number): string {
    const span = Math.floor(nowMs / spanMs);
    if (span !== this.#countedSpan) this.#counts.clear();
    this.#countedSpan = span;
    const count = (this.#counts.get(content) ?? 0) + 1;
    this.#counts.set(content, count);
    return idOf(this.#instance, span, content, count);
  }

  /** Ids under which the previous instance may have committed this content without a response. */
  #earlierIds(earlier: EarlierInstance | undefined, content: string, nowMs: number): readonly string[] {
    if (!earlier || this.#matched.has(content)) return [];
    this.#matched.add(content);
    const { instance, answered } = earlier;
    return Array.from({ length: spans }, (_, back) => {
      const idAt = (count: number): string => idOf(instance, Math.floor(nowMs / spanMs) - back, content, count);
      let count = 1;
      while (answered.has(idAt(count))) count++;
      return Array.from({ length: equalMax }, (_, more) => idAt(count + more)).filter((id) => !answered.has(id));
    }).flat();
  }
}

function idOf(instance: string, span: number, content: string, count: number): string {
  return `${instance}:${span.toString(36)}:${content}:${count}`;
}

/** Page id and content hash: precise enough to count equal requests; the store compares them exactly. */
function contentKeyOf(clientId: string, { method, target, headers, body }: ApiRequest): string {
  const text = JSON.stringify([method, target, ...headers]) + new TextDecoder('latin1').decode(body);
  return `${clientId}:${checksum(text).toString(36)}`;
}
