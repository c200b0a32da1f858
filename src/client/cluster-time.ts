import { type Clock, parseTimeState, type TimeChange, type TimeState } from '../env/index.ts';
import type { ApiHandler } from '../meta/index.ts';
import { sendToHost } from './clusters.ts';
import { readLines } from './transport/read-body.ts';

/** The path of a cluster's time, for clusters in a page. The cluster module documents its routes. */
export const timePath = '/~time';

const retryMs = 1_000;

/**
 * Calls `onState` with the relation of the cluster's time to the host's, at first and after each change, until `signal` aborts. Remote
 * servers have no such route: then it resolves at once.
 */
export async function followTime(
  { api, clock }: { readonly api: ApiHandler; readonly clock: Pick<Clock, 'sleep'> },
  onState: (state: TimeState) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await api({ method: 'GET', target: `${timePath}?watch=1`, headers: new Headers(), body: undefined, signal });
      if (answer.status === 404) return;
      if (answer.status !== 200) throw new Error(`${timePath} answered ${answer.status}`);
      for await (const line of readLines(answer.body)) {
        const state = parseTimeState(line);
        if (state) onState(state);
      }
    } catch {
      // The host is being replaced, or the signal has aborted. The next response has the present state.
    }
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}

/** @throws Error with the host's message */
export async function changeClusterTime(api: ApiHandler, change: TimeChange): Promise<void> {
  await sendToHost(api, 'PUT', timePath, JSON.stringify(change));
}
