import { type JsonObject, StatusError } from '../../meta/index.ts';
import { resourcePath } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf, undefinedIfNotFound } from '../program/errors.ts';
import { getObject } from './changes.ts';
import { type Info, metadataOf } from './info.ts';

/** Reads the object and watches it until it meets the condition. @throws KubectlError after `endMs` */
export async function waitForCondition(
  call: Call,
  info: Info,
  condition: (object: JsonObject | undefined) => boolean,
  endMs: number,
): Promise<JsonObject | undefined> {
  const where = `${info.resource.name}/${info.name}`;
  const { clock } = call.shell;
  for (;;) {
    const live = await undefinedIfNotFound(getObject(call, info));
    if (condition(live)) return live ?? info.object;
    const left = endMs - clock.monotonicMs();
    if (left <= 0) throw new KubectlError(`timed out waiting for the condition on ${where}`);
    const version = String(metadataOf(live)['resourceVersion'] ?? '');
    if (live === undefined) await clock.sleep(Math.min(left, 200), call.signal);
    else await waitForChange(call, info, version, left);
  }
}

/** Resolves when the object changed, or on timeout. */
async function waitForChange(call: Call, info: Info, version: string, ms: number): Promise<void> {
  const timeout = new AbortController();
  const cancel = call.shell.clock.schedule(ms, () => timeout.abort());
  const client = await call.api();
  const query = {
    resourceVersion: version,
    fieldSelector: `metadata.name=${info.name}`,
    timeoutSeconds: String(Math.max(1, Math.ceil(ms / 1000))),
  };
  const events = client.watch(resourcePath(info.resource, info.namespace), { query })[Symbol.asyncIterator]();
  try {
    const ended = new Promise<void>((resolve) => timeout.signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([events.next(), ended]);
  } catch (error) {
    if (!(error instanceof StatusError)) throw new KubectlError(messageOf(error));
    await call.shell.clock.sleep(Math.min(ms, 500), call.signal);
  } finally {
    cancel();
    void events.return?.(undefined).catch(() => undefined);
  }
}
