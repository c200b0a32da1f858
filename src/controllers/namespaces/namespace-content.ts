import { ApiError, hasStatus, type KubeObject, metadataListType } from '../../client/index.ts';
import { type corev1, corev1Pods } from '../../schema/api/index.ts';
import type { ControllerContext } from '../controller.ts';
import { apiVersionOf, collectionPath, type DiscoveredResource, discoverResources, staleVersionsOf } from '../discovered-resources.ts';
import type { ContentDeletionReport } from './namespace-conditions.ts';

/** Seconds before finalizers are checked again (upstream finalizerEstimateSeconds). */
const finalizerSeconds = 15;

export interface NamespaceContentResult extends ContentDeletionReport {
  /** Estimated seconds until the remaining objects are deleted; 0: none remain, or it is unknown. */
  readonly estimateSeconds: number;
}

interface CollectionResult {
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly estimateSeconds: number;
  readonly failure: string | undefined;
}

/**
 * Deletes the content of a namespace: pods first, and the other objects once the pods are deleted, since pods may need them to shut down.
 * Cf. upstream namespacedResourcesDeleter. @throws ApiError when discovery fails
 */
export async function deleteNamespaceContent(namespace: corev1.Namespace, context: ControllerContext): Promise<NamespaceContentResult> {
  const { name = '' } = namespace.metadata;
  const discovered = await discoverResources(context);
  const staleVersions = staleVersionsOf(context);
  // Cf. client-go discovery ErrGroupDiscoveryFailed.
  const stale = staleVersions.map((version) => `${version}: stale GroupVersion discovery: ${version}`);
  const resources = discovered.filter((resource) => isContent(resource) && !staleVersions.includes(apiVersionOf(resource)));
  const isPods = ({ group, name: resource }: DiscoveredResource): boolean => group === '' && resource === 'pods';
  const rests = new Map<DiscoveredResource, CollectionResult>();
  for (const resource of [...resources.filter(isPods), ...resources.filter((one) => !isPods(one))]) {
    const graceSeconds = isPods(resource) ? await remainingGraceSeconds(namespace, context) : 0;
    const rest = await deleteCollection(resource, name, graceSeconds, context);
    rests.set(resource, rest);
    if (isPods(resource) && rest.count > 0) return { ...mergeResults(rests), stale, remaining: new Map(), finalizers: new Map() };
  }
  return { ...mergeResults(rests), stale };
}

/** Whether a namespace contains objects of the resource; those in several versions are deleted in the preferred one. */
function isContent({ namespaced, verbs, isPreferred }: DiscoveredResource): boolean {
  return namespaced && isPreferred && verbs.includes('delete');
}

function mergeResults(rests: ReadonlyMap<DiscoveredResource, CollectionResult>): Omit<NamespaceContentResult, 'stale'> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const [{ group, name }, rest] of rests) {
    if (rest.count > 0) remaining.set(`${name}.${group}`, rest.count);
    for (const [finalizer, count] of rest.finalizers) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
  }
  const all = [...rests.values()];
  const failures = all.flatMap(({ failure }) => failure ?? []);
  return { remaining, finalizers, failures, estimateSeconds: Math.max(0, ...all.map(({ estimateSeconds }) => estimateSeconds)) };
}

async function deleteCollection(
  resource: DiscoveredResource,
  namespace: string,
  graceSeconds: number,
  context: ControllerContext,
): Promise<CollectionResult> {
  const path = collectionPath(resource, namespace);
  try {
    await deleteAll(resource, path, context);
    const left = resource.verbs.includes('list') ? await listObjects(path, context) : [];
    const finalizers = countsOf(left.flatMap(({ metadata }) => metadata.finalizers ?? []));
    const estimateSeconds = left.length === 0 ? 0 : graceSeconds || (finalizers.size > 0 ? finalizerSeconds : 0);
    const { group, version, name } = resource;
    const unexpected = `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${name}`;
    const isUnexpected = left.length > 0 && estimateSeconds === 0;
    return { count: left.length, finalizers, estimateSeconds, failure: isUnexpected ? unexpected : undefined };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A resource that is no longer served has no objects to delete.
    const failure = isUnserved(error) ? undefined : error.message;
    return { count: 0, finalizers: new Map(), estimateSeconds: graceSeconds, failure };
  }
}

async function deleteAll({ verbs }: DiscoveredResource, path: string, context: ControllerContext): Promise<void> {
  const { client } = context;
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
  if (verbs.includes('deletecollection')) {
    await client.send('DELETE', path, { body });
    return;
  }
  for (const { metadata } of verbs.includes('list') ? await listObjects(path, context) : []) {
    await client.send('DELETE', `${path}/${encodeURIComponent(metadata.name ?? '')}`, { body }).catch((error: unknown) => {
      if (!isUnserved(error)) throw error;
    });
  }
}

async function listObjects(path: string, { client, product }: ControllerContext): Promise<readonly KubeObject[]> {
  const { items } = await client.send('GET', path, { accept: metadataListType(product) });
  return Array.isArray(items) ? (items as readonly unknown[] as readonly KubeObject[]) : [];
}

function isUnserved(error: unknown): boolean {
  return hasStatus(error, 404, 405);
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The longest grace period of the pods in seconds; 0 once it is over. */
async function remainingGraceSeconds({ metadata }: corev1.Namespace, { client, clock }: ControllerContext): Promise<number> {
  const { items } = await client.resource(corev1Pods).list({ namespace: metadata.name ?? '' });
  const grace = Math.max(0, ...items.map(gracePeriodOf));
  const passedMs = clock.nowMs() - Date.parse(metadata.deletionTimestamp ?? '');
  return passedMs >= grace * 1000 ? 0 : grace;
}

function gracePeriodOf({ spec, status }: corev1.Pod): number {
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? 0 : (spec.terminationGracePeriodSeconds ?? 0);
}
