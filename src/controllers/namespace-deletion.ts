import { type ApiObject, formatTime, isJsonObject } from '../meta/index.ts';
import { called, found, requestOf } from './api-call.ts';
import type { Controller, ControllerParts } from './controller.ts';
import { emptyNamespace } from './empty-namespace.ts';
import { follow } from './followed.ts';
import { conditionsAfter } from './namespace-conditions.ts';
import { isActive } from './namespaces.ts';

/** Delay for writes that were in flight when a namespace was deleted (upstream namespaceDeletionGracePeriod). */
const graceMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

/** Deletes the content of terminating namespaces, then finalizes them (part 3.1). Cf. pkg/controller/namespace. */
export const namespaceDeletion: Controller = (parts, signal) => {
  const { clock, log } = parts;
  /** Scheduled or running deletions by namespace, with their cancel functions. */
  const seenTo = new Map<string, () => void>();
  const later = (name: string, ms: number, retryMs: number): void => {
    const cancel = clock.schedule(ms, () => void attend(name, retryMs));
    seenTo.set(name, cancel);
  };
  const attend = async (name: string, retryMs: number): Promise<void> => {
    try {
      const againMs = await progress(name, parts, signal);
      seenTo.delete(name);
      if (againMs !== undefined && !signal.aborted) later(name, againMs, firstRetryMs);
    } catch (error) {
      seenTo.delete(name);
      if (signal.aborted) return;
      log.warn('controller failed', { name: 'namespace deletion', namespace: name, error });
      later(name, retryMs, Math.min(retryMs * 2, lastRetryMs));
    }
  };
  const namespaces = follow(
    parts,
    { path: '/api/v1/namespaces', fieldSelector: '' },
    () => {
      for (const [name, namespace] of namespaces.objects) if (!isActive(namespace) && !seenTo.has(name)) later(name, graceMs, firstRetryMs);
    },
    signal,
  );
  const giveUp = (): void => {
    for (const cancel of seenTo.values()) cancel();
  };
  signal.addEventListener('abort', giveUp, { once: true });
};

/** One attempt; returns the delay of the next one in milliseconds, or undefined when nothing is left to do. @throws CallError */
async function progress(name: string, parts: ControllerParts, signal: AbortSignal): Promise<number | undefined> {
  const { api, clock } = parts;
  const path = `/api/v1/namespaces/${encodeURIComponent(name)}`;
  const namespace = await found(api, path, signal);
  if (!namespace || isActive(namespace) || finalizersOf(namespace).length === 0) return undefined;
  const emptied = await emptyNamespace(namespace, parts, signal);
  const conditions = conditionsAfter(namespace, emptied, formatTime(clock.nowMs()));
  const { status } = namespace as { readonly status?: unknown };
  const told = conditions && { ...namespace, status: { ...(isJsonObject(status) ? status : {}), conditions } };
  if (told) await called(api, requestOf('PUT', `${path}/status`, told, signal));
  if (emptied.failures.length > 0) throw new Error(emptied.failures.join(', '));
  if (emptied.estimateSeconds > 0) return (emptied.estimateSeconds / 2 + 1) * 1000;
  const latest = await found(api, path, signal);
  if (latest)
    await called(api, requestOf('PUT', `${path}/finalize`, withoutFinalizer(latest, parts.product.names.namespaceFinalizer), signal));
  return undefined;
}

function finalizersOf(namespace: ApiObject): readonly unknown[] {
  const { spec } = namespace as { readonly spec?: unknown };
  const finalizers = isJsonObject(spec) ? spec['finalizers'] : undefined;
  return Array.isArray(finalizers) ? finalizers : [];
}

/** Removes only the namespace controller's finalizer; others may remain. */
function withoutFinalizer(namespace: ApiObject, own: string): ApiObject {
  const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== own);
  return { ...namespace, spec: { finalizers } } as ApiObject;
}
