import { type ApiObject, badRequest, requireObjectName } from '../../meta/index.ts';
import { type ObjectRef, parseResourceVersion, type StoredObject, toStatusError, waitUntilFresh } from '../../registry/index.ts';
import type { Resource } from '../../schema/index.ts';
import { isTrue } from '../parameters/query-values.ts';
import type { Answer, RequestContext } from '../request-context.ts';
import type { RequestInfo } from '../request-info.ts';
import { shownObject } from '../response/respond.ts';
import { getComponentStatus, isComponentStatus } from './computed/component-status.ts';
import { getResourceMetrics, isResourceMetrics } from './computed/resource-metrics.ts';

/** Where the object of a request is. @throws StatusError 400 for a name that no object can have */
export function refOf({ resource, info }: RequestContext): ObjectRef {
  requireObjectName(info.name);
  requireNamespace(resource, info);
  return { resource, namespace: resource.namespaced ? info.namespace : '', name: info.name };
}

/** @throws StatusError 400 for an empty namespace, `/namespaces//pods/a` */
export function requireNamespace(resource: Resource, { namespace }: Pick<RequestInfo, 'namespace'>): void {
  if (resource.namespaced && namespace === '') throw badRequest('Namespace parameter required.');
}

/** A stored object as a response. Most responses are its text, so it is decoded on demand. */
class StoredAnswer {
  readonly form = 'object';
  readonly status = 200;
  readonly stored: StoredObject;
  readonly #context: RequestContext;

  constructor(context: RequestContext, stored: StoredObject) {
    this.#context = context;
    this.stored = stored;
  }

  get object(): ApiObject {
    return shownObject(this.#context, this.stored);
  }
}

/** Part 4.4, get: the newest state, or one not older than the requested resourceVersion. */
export async function get(context: RequestContext): Promise<Answer> {
  refuseExport(context);
  if (isComponentStatus(context.resource)) return getComponentStatus(context);
  if (isResourceMetrics(context.resource)) return getResourceMetrics(context);
  const { store, env, watchCache } = context.server;
  const ref = refOf(context);
  const requestedVersion = parseResourceVersion(context.info.query.get('resourceVersion') ?? '', watchCache ? 500 : 400);
  const [version, isVersioned] = [requestedVersion ?? 0, requestedVersion !== undefined];
  try {
    if (version > 0) await waitUntilFresh(store.keySpace, version, { clock: env.clock, watchCache });
    // A read with a resourceVersion is served from the cache; without one it is served from the store.
    const at = watchCache && isVersioned ? await store.keySpace.observedRevision() : undefined;
    const stored = await store.get(ref, at);
    stored.requireReadable();
    return new StoredAnswer(context, stored);
  } catch (error) {
    throw toStatusError(error);
  }
}

/** Rejects the parameter `export`, which Kubernetes removed. @throws StatusError 400 */
function refuseExport({ info }: RequestContext): void {
  if (isTrue(info.query, 'export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}
