import { TransportError } from '../../src/client/index.ts';
import { type ApiHandler, type ApiResponse, headersOf, type ResponseBody } from '../../src/meta/index.ts';
import type { World } from './world.ts';

/** A server that clients may reach. */
export interface Reachable {
  readonly handle: ApiHandler;
  /** Rejects when its process has died: what everybody is told who waits for it then. */
  readonly died: Promise<never>;
}

export interface NetworkOptions {
  readonly world: World;
  /** Who answers now; undefined: nobody does. */
  readonly reach: () => Reachable | undefined;
  /** Whether requests, answers and streams may still be lost. */
  readonly isFaulty: () => boolean;
}

/** What a client sees of a request that nobody answered. */
export const lost = (what: string): TransportError => new TransportError('network', what);

/** The way from clients to whichever server lives: requests, answers and streams get lost, and take their time. */
export function createNetwork({ world, reach, isFaulty }: NetworkOptions): ApiHandler {
  const { clock, random, once } = world;
  const lag = async (): Promise<void> => {
    if (once(3)) await clock.sleep(random.integer(8));
  };
  return async (request) => {
    await lag();
    const server = reach();
    if (!server) throw lost('nobody answers');
    if (isFaulty() && once(25)) throw lost('the request was lost');
    const headers = headersOf([...request.headers, ['authorization', 'Bearer admin']]);
    const answer = await Promise.race([server.handle({ ...request, headers }), server.died]);
    await lag();
    if (isFaulty() && once(25)) throw lost('the answer was lost');
    return { ...answer, body: carried(answer.body, server) };
  };

  function carried(body: ApiResponse['body'], server: Reachable): ResponseBody {
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
    return stream(body, server);
  }

  async function* stream(body: AsyncIterable<string | Uint8Array>, server: Reachable): AsyncGenerator<string | Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([chunks.next(), server.died]);
        if (next.done) return;
        await lag();
        if (isFaulty() && once(30)) throw lost('the stream broke');
        yield next.value;
      }
    } finally {
      void chunks.return?.();
    }
  }
}
