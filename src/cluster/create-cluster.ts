import type { ApiHandler, RequestTrace } from '../meta/index.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createApiServer } from './create-api-server.ts';
import { Disposers } from './lifecycle/disposers.ts';
import { bootstrapObjects, startControlLoops } from './lifecycle/start-background.ts';
import { sharedProgram } from './program.ts';
import { openRegistry } from './storage/open-registry.ts';

/** A running control plane. */
export interface Cluster {
  readonly handle: ApiHandler;
  /** Calls the listener with the trace of each completed request; the returned function removes it. */
  onTrace(listener: (trace: RequestTrace) => void): () => void;
  /** The number of requests without a response, except watches and those without a limit. */
  readonly requestsInFlight: number;
  /** Makes `/readyz` fail, so that load balancers stop sending clients; all requests are still served. */
  initiateShutdown(): void;
  /** Rejects new requests. */
  stopTakingRequests(options: { readonly sendRetryAfter: boolean }): void;
  /** Ends watches and closes the store. */
  close(): Promise<void>;
}

/** Wires the modules of a cluster and creates its bootstrap objects. */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const program = sharedProgram(options.product, options);
  const disposers = new Disposers();
  disposers.add(() => options.storage.close());
  disposers.add(() => options.auditing?.sink.close());
  const registry = await openRegistry(options, program, disposers);
  const server = createApiServer(options, program, registry, disposers);
  await bootstrapObjects(options, program, registry, server, disposers);
  await startControlLoops(options, program, registry, server, disposers);
  return {
    handle: server.handle,
    onTrace(listener) {
      server.traceListeners.add(listener);
      return () => server.traceListeners.delete(listener);
    },
    get requestsInFlight() {
      return server.inFlight.size;
    },
    initiateShutdown: () => server.lifecycle.initiateShutdown(),
    stopTakingRequests: (how) => server.lifecycle.stopTakingRequests(how),
    close: () => disposers.dispose(),
  };
}
