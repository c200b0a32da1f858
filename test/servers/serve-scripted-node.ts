import { buildAuthorizerSettings } from '../../src/authz/index.ts';
import { authorizationDefaults } from '../../src/cluster/access/authorization.ts';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import { startTestCluster, type TestCluster } from '../../src/cluster/test-cluster.test-support.ts';
import { createMemoryLog } from '../../src/env/index.ts';
import type { ServerCertificate } from '../../src/hosts/node/certificates/certificate.ts';
import { tlsDefaults } from '../../src/hosts/node/certificates/tls-options.ts';
import { connectionLimits } from '../../src/hosts/node/http/connections.ts';
import { type RunningServer, startHttpServer } from '../../src/hosts/node/http/http-server.ts';
import { createHeaderCompression } from '../../src/hosts/node/upgrade/header-compression.ts';
import { type ApiHandler, createFeatureGates, productByName } from '../../src/meta/index.ts';
import { createStreamProtocols } from '../../src/streaming/protocols/index.ts';
import { createScriptedKubelet, type ScriptedKubelet } from '../../src/streaming/scripted-kubelet.test-support.ts';

/** Serves plain HTTP, or HTTPS with a certificate, at a free port of the loopback address. */
export function serveHandler(handle: ApiHandler, certificate?: ServerCertificate): Promise<RunningServer> {
  return startHttpServer({
    handle,
    clock: { monotonicMs: () => performance.now(), sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)) },
    bindAddress: '127.0.0.1',
    port: 0,
    certificate,
    clientAuthorities: '',
    log: createMemoryLog(),
    tls: tlsDefaults,
    limits: connectionLimits,
    maxHttp2Streams: 100,
  });
}

export interface ServedCluster {
  readonly cluster: TestCluster;
  /** `host:port` */
  readonly address: string;
  close(): Promise<void>;
}

/** A cluster with the node `node-1`, whose kubelet is scripted, and the pods `web` (bound to it) and `unbound`. */
export async function serveScriptedNode(): Promise<ServedCluster & { readonly kubelet: ScriptedKubelet }> {
  const kubelet = createScriptedKubelet();
  const clock = { schedule: (ms: number, run: () => void) => stopTimer(setTimeout(run, ms)) };
  const served = await serveTestCluster({
    // kubectl sends no token without TLS.
    authorization: { ...authorizationDefaults, authorizers: buildAuthorizerSettings(['AlwaysAllow']) },
    streamProtocols: createStreamProtocols({
      product: productByName('kubernetes'),
      featureGates: createFeatureGates(),
      clock,
      createCompression: createHeaderCompression,
    }),
    nodes: ({ kubelets }) => kubelets?.register('node-1', kubelet) ?? (() => {}),
  });
  const { cluster } = served;
  await cluster.create('/api/v1/nodes', { metadata: { name: 'node-1' } });
  const addresses = [{ type: 'InternalIP', address: '172.18.0.2' }];
  await cluster.send('PUT', '/api/v1/nodes/node-1/status', { metadata: { name: 'node-1' }, status: { addresses } });
  await cluster.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const pod = (name: string, nodeName?: string, containers = ['main', 'other']): object => ({
    metadata: { name },
    spec: { nodeName, automountServiceAccountToken: false, containers: containers.map((one) => ({ name: one, image: 'x' })) },
  });
  const pods = '/api/v1/namespaces/default/pods';
  await cluster.create(pods, pod('web', 'node-1'));
  await cluster.create(pods, pod('unbound'));
  const status = { phase: 'Running', podIP: '10.244.0.5', podIPs: [{ ip: '10.244.0.5' }] };
  await cluster.send('PUT', `${pods}/web/status`, { ...pod('web', 'node-1'), status });
  return { ...served, kubelet };
}

function stopTimer(timer: NodeJS.Timeout): () => void {
  return () => clearTimeout(timer);
}

export async function serveTestCluster(options: Partial<ClusterOptions> = {}): Promise<ServedCluster> {
  const cluster = await startTestCluster(options);
  const server = await serveHandler(cluster.handle);
  return {
    cluster,
    address: `127.0.0.1:${server.port}`,
    async close() {
      await server.close(0);
      await cluster.close();
    },
  };
}
