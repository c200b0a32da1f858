import { maxTimerMs } from '../../env/index.ts';
import { type JsonObject, StatusError } from '../../meta/index.ts';
import { qualifiedResourceName, resourcePath } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { type Info, itemsOf, metadataOf } from './info.ts';

/** Pause before an ended watch is replaced, in milliseconds. Cf. the back-off of client-go's reflector. */
const relistMs = 800;

/**
 * Yields an object, undefined while it does not exist: as it is, and after every change until `endMs`. Lists and watches by name like the
 * informers of kubectl: the version of a list is recent, whereas that of an object may be compacted.
 * @throws StatusError when it cannot be listed
 */
export async function* watchObject(call: Call, info: Info, endMs: number): AsyncGenerator<JsonObject | undefined> {
  const { clock } = call.shell;
  const client = await call.api();
  const path = resourcePath(info.resource, info.namespace);
  const about = { resource: qualifiedResourceName(info.resource) };
  const fieldSelector = `metadata.name=${info.name}`;
  let cancel = (): void => {};
  const ended = new Promise<undefined>((resolve) => {
    if (endMs < Infinity) cancel = clock.schedule(Math.min(endMs - clock.monotonicMs(), maxTimerMs), () => resolve(undefined));
  });
  try {
    for (;;) {
      const list = await client.read('GET', path, { query: { fieldSelector }, about });
      yield itemsOf(list)[0];
      const leftMs = endMs - clock.monotonicMs();
      if (leftMs <= 0) return;
      const resourceVersion = String(metadataOf(list)['resourceVersion'] ?? '');
      const query = { fieldSelector, resourceVersion, timeoutSeconds: toTimeoutSeconds(leftMs) };
      const events = client.watch(path, { query, about })[Symbol.asyncIterator]();
      const receive = (): Promise<Awaited<ReturnType<typeof events.next>> | undefined> => Promise.race([events.next(), ended]);
      try {
        for (let next = await receive(); !next?.done; next = await receive()) {
          if (!next) return;
          yield next.value.type === 'DELETED' ? undefined : next.value.object;
        }
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      } finally {
        void events.return(undefined).catch(() => undefined);
      }
      await clock.sleep(Math.min(relistMs, Math.max(1, endMs - clock.monotonicMs())), call.signal);
    }
  } finally {
    cancel();
  }
}

function toTimeoutSeconds(leftMs: number): string | undefined {
  return leftMs < Infinity ? String(Math.ceil(leftMs / 1000)) : undefined;
}
