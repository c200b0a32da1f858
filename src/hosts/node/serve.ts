import { hostname } from 'node:os';
import { type ElectedOptions, startElected } from '../../client/index.ts';
import {
  allControllers,
  type Cluster,
  type ClusterOptions,
  clusterDefaults,
  createCluster,
  createOptionalPlugins,
  createSandboxes,
  createStaticPods,
  Explanations,
  type NodeConfig,
  readTokenFile,
  type SchedulerConfiguration,
  type StaticPods,
  type StaticTokens,
  startControllers,
  startNodes,
  startScheduler,
} from '../../cluster/index.ts';
import type { Env, OutboundTls } from '../../env/index.ts';
import { type ApiHandler, joinHostPort, type Product, productByName } from '../../meta/index.ts';
import { createNetwork } from '../../network/index.ts';
import { createMemoryKeySpace, KeySpaceError, openFileLogStore, openLogKeySpace } from '../../storage/index.ts';
import { createStreamProtocols } from '../../streaming/protocols/index.ts';
import { createCertificateAuthority, createSigner, serviceNames } from '../certificate-authority.ts';
import { loadContainers } from '../load-containers.ts';
import { createSigningKey } from '../signing-key.ts';
import { isPullable } from '../unknown-images.ts';
import { resolveAdvertiseAddress } from './advertise-address.ts';
import { loadAuditing } from './audit/auditing.ts';
import { loadAuthentication, type OwnAuthorities } from './auth/authentication.ts';
import { readAuthorization } from './auth/authorization.ts';
import { type CertificateFiles, createCertificate, readCertificate, type ServerCertificate } from './certificates/certificate.ts';
import { loadAdmissionConfig } from './config/admission-config.ts';
import { checkEgressSelector } from './config/egress-selector.ts';
import { openManifestFolder } from './config/manifest-folder.ts';
import { readNamedFile } from './config/named-file.ts';
import { loadNodes } from './config/node-config.ts';
import { loadSchedulerConfig } from './config/scheduler-config.ts';
import { schedulingDocument } from './config/scheduling-document.ts';
import { checkTracingConfig } from './config/tracing-config.ts';
import { FlagError } from './flags/flag-error.ts';
import type { ServeFlags } from './flags/flags.ts';
import { connectionLimits } from './http/connections.ts';
import { type HttpServerOptions, type RunningServer, startHttpServer } from './http/http-server.ts';
import { createOutbound } from './http/outbound.ts';
import { createHttpsTransport } from './http/service-transport.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import { createProcessMetrics } from './metrics/process-metrics.ts';
import { serverIdentity } from './server-identity.ts';
import { createLogFolder, folderBytes } from './storage/log-folder.ts';
import { type OpenedStorage, storageSizeMetrics } from './storage/opened-storage.ts';
import { writePrivateFile } from './storage/private-files.ts';
import { createHeaderCompression } from './upgrade/header-compression.ts';
import { createFlagz } from './zpages/flagz.ts';
import { createStatusz } from './zpages/statusz.ts';

/** A running server. */
export interface Serving {
  readonly url: string;
  /** Token of the admin user; undefined with a token file. */
  readonly adminToken: string | undefined;
  /** Path of the written kubeconfig. */
  readonly kubeconfig: string | undefined;
  /** Ends watches, waits for requests in flight, and closes the server. */
  close(): Promise<void>;
  /** Graceful shutdown as at SIGTERM: not ready for `--shutdown-delay-duration`, then no new requests, then `close`. */
  shutDown(): Promise<void>;
}

/** Starts a cluster and serves it. `storageLost` is called when another process has taken over its data, so that it must exit. */
export async function serve(flags: ServeFlags, env: Env, storageLost: (error: KeySpaceError) => void): Promise<Serving> {
  const product = productByName(flags.names);
  await checkEgressSelector(flags.authentication.text('egress-selector-config-file'), product);
  await checkTracingConfig(flags.authentication.text('tracing-config-file'), product);
  const { tokens, adminToken } = await readTokens(flags, env);
  const authorization = await readAuthorization(flags.authorization, product, env);
  const advertised = resolveAdvertiseAddress(flags);
  const certificate = flags.insecure ? undefined : await certificateOf(flags, env, advertised);
  const { options, clientAuthorities } = await loadAuthentication({
    flags: flags.authentication,
    tokens,
    env,
    product,
    own: await ownAuthorities(flags, certificate, env),
  });
  const admissionConfig = flags.authentication.text('admission-control-config-file');
  const outbound = createOutbound();
  const admissionSettings = await loadAdmissionConfig(admissionConfig, { choice: flags.admission, product, env, outbound });
  const schedulerConfiguration = await loadSchedulerConfig(flags.schedulerConfig, product);
  const auditing = await loadAuditing(flags.auditing, { product, env });
  const nodes = flags.nodes === undefined ? undefined : await loadNodes(flags.nodeConfig, flags.nodes);
  const staticPods = flags.podManifestPath === '' ? undefined : createStaticPods(await openManifestFolder(flags.podManifestPath, env));
  const proxyClient = flags.proxyClient && (await readProxyClient(flags.proxyClient));
  const explanations = new Explanations();
  const create = async (port: number): Promise<Cluster> => {
    const opened = await openStorage(flags, product, env, storageLost);
    const processMetrics = createProcessMetrics();
    return createCluster({
      ...clusterDefaults,
      advertiseAddress: { ip: advertised, port },
      identity: serverIdentity(hostname(), product),
      endpointReconcilerType: flags.endpointReconcilerType,
      env,
      storage: opened.storage,
      sharedStorage: flags.etcd !== undefined,
      product,
      authentication: options,
      authorization,
      admission: {
        ...flags.admission,
        ...admissionSettings,
        defaultOffPlugins: (context) => createOptionalPlugins(context, admissionSettings),
        tolerationSeconds: flags.tolerationSeconds,
        outbound,
      },
      aggregation: { transport: createHttpsTransport(proxyClient), routesToEndpoints: flags.routesToEndpoints },
      auditing,
      createSigningKey,
      retentionMs: flags.retentionMs,
      serviceRanges: flags.serviceRanges,
      featureGates: flags.featureGates,
      watchCache: flags.watchCache,
      profiling: flags.profiling,
      hostMetrics: async () => [
        ...(await processMetrics()),
        ...(await storageSizeMetrics(opened, env.log)),
        ...(opened.encryption?.metrics() ?? []),
      ],
      disabledMetrics: flags.disabledMetrics,
      allowPrivileged: flags.allowPrivileged,
      hostPages: hostPagesOf(flags, env),
      storageChecks: opened.encryption?.healthChecks ?? [],
      encryptionFile: opened.encryption?.file,
      goawayChance: flags.goawayChance,
      emulatedMinor: flags.emulatedMinor,
      runtimeConfig: flags.runtimeConfig,
      corsAndHsts: { corsAllowedOrigins: flags.corsAllowedOrigins, strictTransportSecurity: flags.strictTransportSecurity },
      timingHeaders: flags.trace ? 'permitted' : 'none',
      timeouts: flags.timeouts,
      inFlightLimits: flags.inFlightLimits,
      priorityAndFairness: flags.priorityAndFairness,
      ...startersOf(flags, { nodes, staticPods, schedulerConfiguration, explanations }, env),
      debugDocument: (path) => schedulingDocument(explanations, path),
      network: createNetwork,
      servingCertificate: certificate,
      streamProtocols: createStreamProtocols({
        product,
        featureGates: flags.featureGates,
        clock: env.clock,
        createCompression: createHeaderCompression,
      }),
      rootAuthority: certificate?.authority,
      certificateAuthority: createCertificateAuthority(certificate?.signer, () => env.clock.nowMs()),
    });
  };
  const listening = {
    clock: env.clock,
    log: env.log,
    bindAddress: flags.bindAddress,
    port: flags.securePort,
    certificate,
    clientAuthorities,
    tls: flags.tls,
    limits: connectionLimits,
    maxHttp2Streams: flags.maxHttp2Streams,
  };
  const { server, cluster } = await serveCluster(listening, create);
  const url = `${certificate ? 'https' : 'http'}://${joinHostPort(flags.bindAddress, server.port)}`;
  const first = adminToken ?? [...tokens].find(([, user]) => user.groups.includes('system:masters'))?.[0];
  if (flags.kubeconfig !== undefined && first !== undefined) {
    await writePrivateFile(flags.kubeconfig, kubeconfigFor({ url, authority: certificate?.authority }, first), env.log);
  }
  const close = async (): Promise<void> => {
    await server.close();
    await cluster.close();
  };
  return {
    url,
    adminToken,
    kubeconfig: flags.kubeconfig,
    close,
    async shutDown() {
      const { delayMs, sendRetryAfter } = flags.shutdown;
      cluster.initiateShutdown();
      if (delayMs > 0) await env.clock.sleep(delayMs);
      cluster.stopTakingRequests({ sendRetryAfter });
      if (sendRetryAfter) await server.drain(connectionLimits.responseMs);
      await close();
    },
  };
}

/** Listens, then creates the cluster, which advertises the port. Requests that arrive before wait for it. */
async function serveCluster(
  options: Omit<HttpServerOptions, 'handle'>,
  create: (port: number) => Promise<Cluster>,
): Promise<{ readonly server: RunningServer; readonly cluster: Cluster }> {
  let started = (_: Promise<ApiHandler>): void => {};
  const start = new Promise<ApiHandler>((resolve) => {
    started = resolve;
  });
  let handle: ApiHandler = async (request) => (await start)(request);
  const server = await startHttpServer({ ...options, handle: (request) => handle(request) });
  try {
    const cluster = await create(server.port);
    handle = cluster.handle;
    started(Promise.resolve(handle));
    return { server, cluster };
  } catch (error) {
    start.catch(() => {});
    started(Promise.reject(error));
    await server.close(0);
    throw error;
  }
}

/** The pages that feature gates enable. */
function hostPagesOf({ featureGates, all }: ServeFlags, env: Env): ClusterOptions['hostPages'] {
  return new Map([
    ...(featureGates.enabled('ComponentFlagz') ? [['/flagz', createFlagz(all, env.random)] as const] : []),
    ...(featureGates.enabled('ComponentStatusz') ? [['/statusz', createStatusz(env)] as const] : []),
  ]);
}

/** The contents of the configuration files of the components. */
interface ComponentConfigs {
  /** Undefined: no nodes. */
  readonly nodes: readonly NodeConfig[] | undefined;
  /** Undefined: no static pods. */
  readonly staticPods: StaticPods | undefined;
  readonly schedulerConfiguration: SchedulerConfiguration;
  /** Receives the decisions of the scheduler. */
  readonly explanations: Explanations;
}

/** The starters of the components besides the API server. */
function startersOf(
  { etcd, controllers, scheduler, clientRate, clusterCidrs, unknownImages }: ServeFlags,
  { nodes, staticPods, schedulerConfiguration: configuration, explanations }: ComponentConfigs,
  { random }: Env,
): Pick<ClusterOptions, 'controllers' | 'scheduler' | 'nodes'> {
  const host = hostname();
  // On etcd several servers may run, one of which runs a component.
  const elected = <Options extends ElectedOptions>(lease: string, start: (options: Options) => () => void): typeof start => {
    if (!etcd) return start;
    const identity = `${host}_${random.uuid()}`;
    return (options) => startElected(start, options, { lease, identity });
  };
  const selection = { available: allControllers, enabled: controllers };
  return {
    controllers:
      controllers.length === 0
        ? 'none'
        : elected('kube-controller-manager', (options) => startControllers({ ...options, clientRate, clusterCidrs }, selection)),
    scheduler: scheduler
      ? elected('kube-scheduler', (options) => startScheduler({ ...options, clientRate, configuration, host, explanations }))
      : 'none',
    nodes: nodes
      ? elected('simulated-nodes', (options) =>
          startNodes(
            {
              ...options,
              clientRate,
              staticPods,
              createSandboxes: createSandboxes(loadContainers),
              isPullable: (image) => isPullable(image, unknownImages),
            },
            nodes,
          ),
        )
      : 'none',
  };
}

function certificateOf(flags: ServeFlags, { clock }: Env, advertised: string): Promise<ServerCertificate> {
  return flags.certificateFiles ? readCertificate(flags.certificateFiles) : createCertificate(namesOf(flags, advertised), clock.nowMs());
}

/**
 * The authorities that are published unless files are given: components of Kubernetes expect some. That of clients signs the certificates
 * that the controllers of a whole cluster issue; front proxies have another one, so that no issued certificate is one of theirs.
 */
async function ownAuthorities(
  { nodes }: ServeFlags,
  certificate: ServerCertificate | undefined,
  { clock }: Env,
): Promise<OwnAuthorities | undefined> {
  if (!certificate || (!certificate.signer && nodes === undefined)) return undefined;
  const proxies = await createSigner(clock.nowMs(), 'tabplane-front-proxy-ca');
  return { clients: certificate.authority, frontProxies: proxies.certificate };
}

/** The client certificate for aggregated API servers. */
async function readProxyClient({ certificate, key }: CertificateFiles): Promise<OutboundTls['identity']> {
  return { certificate: await readNamedFile(certificate), key: await readNamedFile(key) };
}

/** Host names and addresses in the serving certificate, with those of the Service of the API. */
function namesOf({ bindAddress, names, serviceRanges }: ServeFlags, advertised: string): string[] {
  const service = serviceNames(productByName(names), serviceRanges);
  return [...new Set(['localhost', '127.0.0.1', '::1', bindAddress, advertised, ...service])];
}

async function readTokens(
  { tokenAuthFile, names }: ServeFlags,
  env: Env,
): Promise<{ readonly tokens: StaticTokens; readonly adminToken: string | undefined }> {
  if (tokenAuthFile !== undefined)
    return { tokens: readTokenFile(await readNamedFile(tokenAuthFile), tokenAuthFile, productByName(names)), adminToken: undefined };
  const adminToken = `${env.random.uuid()}${env.random.uuid()}`.replaceAll('-', '');
  return { tokens: new Map([[adminToken, { username: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} }]]), adminToken };
}

/** gRPC is an optional dependency of the package. @throws FlagError when it is not installed */
function throwMissingGrpc(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
  throw isMissing ? new FlagError('--etcd-servers needs the package @grpc/grpc-js, which is not installed') : error;
}

async function openStorage(
  { dataDir, etcd, encryption, retentionMs, featureGates }: ServeFlags,
  product: Product,
  env: Env,
  takenOver: (error: KeySpaceError) => void,
): Promise<OpenedStorage> {
  const { clock, random, log } = env;
  if (etcd) {
    // Loaded on demand, since gRPC is slow to load and rarely needed.
    const { openEtcdStorage } = await import('./etcd/open-etcd-storage.ts').catch(throwMissingGrpc);
    return openEtcdStorage(etcd, { product, featureGates, env, retentionMs, encryption });
  }
  if (dataDir === undefined) return { storage: createMemoryKeySpace(clock) };
  const folder = await createLogFolder(dataDir, log);
  const store = await openFileLogStore({ folder, clock, random, log, sync: 'always', onTakenOver: takenOver });
  try {
    return { storage: await openLogKeySpace({ store, clock, log, onDamage: 'refuse' }), allocatedBytes: () => folderBytes(folder) };
  } catch (error) {
    if (!(error instanceof KeySpaceError) || error.code !== 'corrupt') throw error;
    const advice = `\`tabplane repair --data-dir ${dataDir}\` shows what can be saved and what would be lost; nothing was changed`;
    throw new KeySpaceError('corrupt', `${dataDir}: ${error.message}\n${advice}`, { cause: error });
  }
}
