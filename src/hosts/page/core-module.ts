import { names } from 'virtual:tabplane-build';
import { servePort } from '../../client/index.ts';
import { productByName, type RequestTrace } from '../../meta/index.ts';
import { ClusterRegistry, LazyCluster } from '../browser/index.ts';
import { createMemoryClusterStores, openMemoryCluster } from '../browser/open-cluster.ts';

/** Messages of a core in a dedicated worker, besides responses. */
export type FromCoreWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'trace'; readonly trace: RequestTrace; readonly cluster: string | undefined };

/** The used part of DedicatedWorkerGlobalScope. */
interface CoreWorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Entry point of the worker: serves the clusters to the page that created it. */
export function serveCore(scope: CoreWorkerScope): void {
  const core = openPageCore((trace, cluster) => scope.postMessage({ kind: 'trace', trace, cluster } satisfies FromCoreWorker));
  servePort(scope, core.handle);
  scope.postMessage({ kind: 'ready' } satisfies FromCoreWorker);
}

/** Receives the trace of a request; `cluster` is undefined for the page's own. */
export type ClusterTraceListener = (trace: RequestTrace, cluster: string | undefined) => void;

/** Opens the clusters of a page without a worker. */
export function openPageCore(onTrace: ClusterTraceListener): ClusterRegistry {
  const options = { names, folder: '/', controllers: 'run' } as const;
  const main = new LazyCluster(async () => {
    const cluster = await openMemoryCluster(options);
    cluster.onTrace((trace) => onTrace(trace, undefined));
    return cluster;
  });
  return new ClusterRegistry({
    main,
    stores: createMemoryClusterStores(options),
    product: productByName(names),
    onTrace: (id, trace) => onTrace(trace, id),
  });
}

// The library (library.ts), without the constants of resources: they are in a file of their own, since the Service Worker uses few of them.
export { ApiError, hasStatus, keyOf } from '../../client/api/index.ts';
export { AuditPolicyError, compileDeviceSelector, SchedulerConfigError, TokenFileError } from '../../cluster/index.ts';
export { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
export { applyJsonPatch, decodeJsonPatch, PatchError, PatchTestError } from '../../patch/index.ts';
export { compilePattern, PatternError } from '../../regexp/index.ts';
export { createCatalog, createTypedDecoder, DecodeError } from '../../schema/index.ts';
export { KeySpaceError } from '../../storage/index.ts';
export { evaluateChecksAsAdmin } from '../browser/lesson-checks.ts';
export { openMemoryCluster } from '../browser/open-cluster.ts';
export { createCluster } from './create-cluster.ts';
