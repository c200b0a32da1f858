import { type ApiObject, formatTime, isJsonObject } from '../meta/index.ts';
import { callApi, getOrUndefined, writeRequest } from './api-call.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { startInformer } from './informer.ts';
import { updateConditions } from './namespace-conditions.ts';
import { deleteNamespaceContent } from './namespace-content.ts';
import { isActive } from './namespaces.ts';

/** Delay for writes that were in flight when a namespace was deleted (upstream namespaceDeletionGracePeriod). */
const graceMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

/** Deletes the content of terminating namespaces, then finalizes them (part 3.1). Cf. pkg/controller/namespace. */
export const namespaceDeletion: Controller = (parts, signal) => {
  const { clock, log } = parts;
  /** Scheduled or running deletions by namespace, with their cancel functions. */
  const scheduled = new Map<string, () => void>();
  const schedule = (name: string, ms: number, retryMs: number): void => {
    const cancel = clock.schedule(ms, () => void processNamespace(name, retryMs));
    scheduled.set(name, cancel);
  };
  const processNamespace = async (name: string, retryMs: number): Promise<void> => {
    try {
      const againMs = await syncNamespace(name, parts, signal);
      scheduled.delete(name);
      if (againMs !== undefined && !signal.aborted) schedule(name, againMs, firstRetryMs);
    } catch (error) {
      scheduled.delete(name);
      if (signal.aborted) return;
      log.warn('controller failed', { name: 'namespace deletion', namespace: name, error });
      schedule(name, retryMs, Math.min(retryMs * 2, lastRetryMs));
    }
  };
  const namespaces = startInformer(
    parts,
    { path: '/api/v1/namespaces', fieldSelector: '' },
    () => {
      for (const [name, namespace] of namespaces.objects)
        if (!isActive(namespace) && !scheduled.has(name)) schedule(name, graceMs, firstRetryMs);
    },
    signal,
  );
  const cancelAll = (): void => {
    for (const cancel of scheduled.values()) cancel();
  };
  signal.addEventListener('abort', cancelAll, { once: true });
};

/** One attempt; returns the delay of the next one in milliseconds, or undefined when nothing is left to do. @throws CallError */
async function syncNamespace(name: string, parts: ControllerContext, signal: AbortSignal): Promise<number | undefined> {
  const { api, clock } = parts;
  const path = `/api/v1/namespaces/${encodeURIComponent(name)}`;
  const namespace = await getOrUndefined(api, path, signal);
  if (!namespace || isActive(namespace) || finalizersOf(namespace).length === 0) return undefined;
  const emptied = await deleteNamespaceContent(namespace, parts, signal);
  const conditions = updateConditions(namespace, emptied, formatTime(clock.nowMs()));
  const { status } = namespace as { readonly status?: unknown };
  const updated = conditions && { ...namespace, status: { ...(isJsonObject(status) ? status : {}), conditions } };
  if (updated) await callApi(api, writeRequest('PUT', `${path}/status`, updated, signal));
  if (emptied.failures.length > 0) throw new Error(emptied.failures.join(', '));
  if (emptied.estimateSeconds > 0) return (emptied.estimateSeconds / 2 + 1) * 1000;
  const latest = await getOrUndefined(api, path, signal);
  if (latest)
    await callApi(api, writeRequest('PUT', `${path}/finalize`, withoutFinalizer(latest, parts.product.names.namespaceFinalizer), signal));
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
