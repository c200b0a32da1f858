import { admissionChain, defaultPodSecuritySettings } from '../admission/index.ts';
import type { AuditConfig } from '../audit/index.ts';
import { constantTimeEqual, type TokenAuthenticator } from '../authn/index.ts';
import { createEscalationChecker } from '../authz/index.ts';
import { ApiClient } from '../client/index.ts';
import { createProtobuf } from '../codec/index.ts';
import type { startControllers } from '../controllers/index.ts';
import type { Env } from '../env/index.ts';
import { type ApiHandler, createFeatureGates, type FeatureGates, formatTime, type Product, type RequestTrace } from '../meta/index.ts';
import {
  createConversion,
  createServingLifetimes,
  ObjectStore,
  ServiceAllocator,
  type ServiceRanges,
  SharedLock,
  serviceRanges,
  startDefinitionController,
  startDefinitionInformer,
  strategyFor,
  watchAdminNamespaces,
  watchServices,
  withAdminAccessCheck,
  withServiceAllocation,
} from '../registry/index.ts';
import type { Catalog, RuntimeConfig } from '../schema/index.ts';
import {
  ByteBudget,
  type CorsAndHstsOptions,
  createDiscovery,
  createKinds,
  createOpenApi,
  createServer,
  Deadlines,
  definitionSchema,
  EventTexts,
  type InFlightLimits,
  InFlightRequests,
  inFlightDefaults,
  Lifecycle,
  Metrics,
  type OpenApi,
  release,
  type ServerDependencies,
  type TimingHeaders,
  type TraceListener,
} from '../server/index.ts';
import { createCompactor, defaultRetentionMs, type TimedKeySpace } from '../storage/index.ts';
import { type AdmissionOptions, createAdmissionPlugins } from './admission-plugins.ts';
import { type AuthenticationOptions, authenticationDefaults, createAuthentication } from './authentication.ts';
import { type AuthorizationOptions, authorizationDefaults, createAuthorization } from './authorization.ts';
import { createBootstrapObjectWriter } from './bootstrap.ts';
import { createBootstrapObjects } from './bootstrap-objects.ts';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { bootstrapStartupObjects } from './bootstrap-startup-objects.ts';
import { createDefinitionWriter } from './definition-writer.ts';
import { createHealthChecks } from './health-checks.ts';
import { createLoopbackHandler } from './loopback-handler.ts';
import { createProgram, type Program } from './program.ts';
import { createRepairEventRecorder } from './repair-events.ts';
import { createServiceAccountKeySource } from './service-account-keys.ts';
import { startServiceAddressController } from './service-addresses.ts';
import { startSystemObjectsController } from './system-objects-controller.ts';
import { watchFlowSchemas } from './watch-flow-schemas.ts';
import { watchPolicies } from './watch-policies.ts';
import { watchRoles } from './watch-roles.ts';

/** Dependencies and configuration of a cluster. */
export interface ClusterOptions {
  readonly env: Env;
  readonly storage: TimedKeySpace;
  /** Whether other servers write to the same storage. */
  readonly sharedStorage: boolean;
  readonly product: Product;
  readonly authentication: AuthenticationOptions;
  readonly authorization: AuthorizationOptions;
  /** `--enable-admission-plugins`, `--disable-admission-plugins`. */
  readonly admission: AdmissionOptions;
  /** Audit policy and sink; undefined: no auditing. */
  readonly auditing: AuditConfig | undefined;
  /** Generates a private key for service account tokens when none is configured: RSA with 2048 bits, or a supported curve. */
  readonly createSigningKey: () => Promise<JsonWebKey>;
  /** Host and port of the server in discovery documents. */
  readonly advertiseAddress: string;
  /** How long old revisions stay readable and watchable (`--etcd-compaction-interval`). */
  readonly retentionMs: number;
  /** `--service-cluster-ip-range`, `--service-node-port-range`. */
  readonly serviceRanges: ServiceRanges;
  /** `--feature-gates`. */
  readonly featureGates: FeatureGates;
  /** `--runtime-config`. */
  readonly runtimeConfig: RuntimeConfig;
  /** `--watch-cache`. */
  readonly watchCache: boolean;
  readonly corsAndHsts: CorsAndHstsOptions;
  readonly timingHeaders: TimingHeaders;
  readonly inFlightLimits: InFlightLimits;
  /** Starts the controllers; `none`: objects change only by requests. */
  readonly controllers: typeof startControllers | 'none';
  /** PEM of the root CA bundle for pods; undefined: none is published. */
  readonly rootAuthority: string | undefined;
  /** Shared static data; created from the other options when absent. Hosts that restart servers create it once. */
  readonly program?: Program;
}

/** A running control plane. */
export interface Cluster {
  readonly handle: ApiHandler;
  /** Calls the listener with the trace of each completed request; the returned function removes it. */
  onTrace(listener: (trace: RequestTrace) => void): () => void;
  /** Makes `/readyz` fail, so that load balancers stop sending clients; all requests are still served. */
  initiateShutdown(): void;
  /** Rejects new requests. */
  stopTakingRequests(options: { readonly sendRetryAfter: boolean }): void;
  /** Ends watches and closes the store. */
  close(): Promise<void>;
}

export const clusterDefaults: Omit<ClusterOptions, 'env' | 'storage' | 'product' | 'createSigningKey'> = {
  sharedStorage: false,
  authentication: authenticationDefaults,
  authorization: authorizationDefaults,
  admission: { enabled: [], disabled: [], defaultOffPlugins: () => [], podSecurity: defaultPodSecuritySettings, outbound: undefined },
  auditing: undefined,
  advertiseAddress: '127.0.0.1:6443',
  retentionMs: defaultRetentionMs,
  serviceRanges: serviceRanges(),
  featureGates: createFeatureGates(),
  runtimeConfig: new Map(),
  corsAndHsts: { corsAllowedOrigins: [], strictTransportSecurity: [] },
  watchCache: true,
  timingHeaders: 'none',
  inFlightLimits: inFlightDefaults,
  controllers: 'none',
  rootAuthority: undefined,
};

/** Memory limit for concurrent large lists in YAML, protobuf and CBOR: about ten lists of 1,500 objects of 4 KB. */
const largeResponsesMaxBytes = 64 * 1024 * 1024;

/** Wires the modules of a cluster and creates its bootstrap objects. */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const { env, storage, product } = options;
  const { catalog, known, decoder, defaulter, validation, custom, defaultRoles } = options.program ?? createProgram(product, options);
  const moment = {
    // A getter, because few defaults are times.
    get now() {
      return formatTime(env.clock.nowMs());
    },
  };
  const store = new ObjectStore(storage, { nameCorrupt: options.featureGates.enabled('AllowUnsafeMalformedObjectDeletion') });
  const addresses = new ServiceAllocator(options.serviceRanges);
  const lock = options.sharedStorage ? new SharedLock(storage, 'services', env) : undefined;
  const administrators = await watchAdminNamespaces(store, known, product, env.log);
  const kinds = createKinds({
    product,
    scaleSchema: catalog.type('autoscaling/v1.Scale'),
    strategyOf: (resource) => {
      const ofKind = custom.strategyOf(resource) ?? strategyFor(resource, { decode: decoder, validation });
      return withAdminAccessCheck(resource, withServiceAllocation(resource, ofKind, addresses, lock), administrators);
    },
    decode: decoder,
    withDefaults: (schema, object) => defaulter(schema, object, moment),
    validateMetadata: (resource, object) => validation.metadata(resource, object),
    validateMetadataUpdate: (resource, next, old) => validation.metadataUpdate(resource, next, old),
    schemaOf: (groupVersion, kind) => catalog.kind(groupVersion, kind),
    convert: createConversion(product),
    customCodec: (resource) => custom.codecOf(resource),
  });
  const definitions = await startDefinitionInformer(store, { catalog, known, product, log: env.log });
  const lifetimes = createServingLifetimes(definitions, env.clock);
  await watchServices(store, known, addresses, env.log);
  const serviceAddresses = await startServiceAddressController({ env, kinds, store, catalog: known, product, allocator: addresses });
  const roles = await watchRoles(store, known, product, env.log);
  const flows = await watchFlowSchemas(store, known, product, env.log);
  const registrations = await watchPolicies(store, known, product, env.log);
  const metrics = new Metrics(
    options.featureGates,
    [options.authentication.file, options.authorization.file].flatMap((file) => file ?? []),
  );
  const authorization = createAuthorization(options.authorization, {
    store,
    catalog: known,
    product,
    env,
    roles,
    defaults: defaultRoles,
    metrics,
  });
  const lifecycle = new Lifecycle();
  const listeners = new Set<TraceListener>();
  const loopback = loopbackAuthenticator(env);
  const { authentication, issuer } = createAuthentication(options.authentication, {
    store,
    catalog: known,
    product,
    env,
    keys: createServiceAccountKeySource(options.authentication.serviceAccounts, storage, options.createSigningKey),
    loopback,
    advertiseAddress: options.advertiseAddress,
    patch: async (target, object) => {
      await ownClient.send('PATCH', target, { body: object, contentType: 'application/merge-patch+json' }).catch((error: unknown) => {
        env.log.warn('own patch refused', { target, error });
      });
    },
  });
  const constantDependencies: Omit<ServerDependencies, 'catalog' | 'discovery' | 'openApi'> = {
    env,
    product,
    kinds,
    store,
    authentication,
    issuer,
    authorization,
    auditing: options.auditing,
    escalationChecker: createEscalationChecker(roles, authorization, product),
    admission: admissionChain(
      createAdmissionPlugins({
        store,
        catalog: known,
        product,
        random: env.random,
        clock: env.clock,
        createsDefaultAccounts: options.controllers !== 'none',
        authorization,
        kinds,
        served: () => definitions.snapshot().catalog,
        registrations,
        choice: options.admission,
        log: env.log,
      }),
    ),
    custom: {
      isTerminating: ({ definition }) => definitions.snapshot().terminating.has(definition),
      onServingEnd: (resource, end) => lifetimes.onServingEnd(resource, end),
    },
    healthChecks: createHealthChecks(storage, product, env.clock, lifecycle),
    eventTexts: new EventTexts(),
    protobuf: createProtobuf(catalog, product),
    decode: decoder,
    featureGates: options.featureGates,
    watchCache: options.watchCache,
    corsAndHsts: options.corsAndHsts,
    flows,
    deadlines: new Deadlines(env.clock),
    lifecycle,
    inFlight: new InFlightRequests(options.inFlightLimits, env.clock),
    largeAnswers: new ByteBudget(largeResponsesMaxBytes),
    metrics,
    timingHeaders: options.timingHeaders,
    traceListeners: listeners,
  };
  const createDependencies = (served: Catalog, previous?: OpenApi): ServerDependencies => ({
    ...constantDependencies,
    catalog: served,
    discovery: createDiscovery({ catalog: served, product, serverAddress: options.advertiseAddress }),
    openApi: createOpenApi({
      catalog: served,
      product,
      release: `v${release.major}.${release.minor}.${release.patch}`,
      clock: env.clock,
      customSchema: ({ custom: version }, dialect) => version && definitionSchema(version.schema.source, dialect, product),
      ...(previous ? { previous } : {}),
    }),
  });
  let dependencies = createDependencies(definitions.snapshot().catalog);
  const handle: ApiHandler = createServer(() => {
    const served = definitions.snapshot().catalog;
    if (served !== dependencies.catalog) dependencies = createDependencies(served, dependencies.openApi);
    return dependencies;
  });
  const closing = new AbortController();
  const ownClient = new ApiClient({
    api: createLoopbackHandler(handle, loopback.token, product.rename('kube-apiserver')),
    product,
    signal: closing.signal,
  });
  const writeBootstrapObject = createBootstrapObjectWriter(ownClient, { catalog, store }, () => formatTime(env.clock.nowMs()));
  const bootstrapped = createBootstrapObjects(product, options.serviceRanges);
  for (const object of bootstrapped) await writeBootstrapObject(object);
  await bootstrapStartupObjects({ env, product, catalog, kinds, store, ranges: options.serviceRanges });
  if (catalog.resourcesOf(product.rename('rbac.authorization.k8s.io/v1')).length > 0) {
    await bootstrapRoles({ env, product, catalog, kinds, store, defaults: defaultRoles }, ownClient);
  }
  const writer = createDefinitionWriter({
    client: ownClient,
    store,
    kinds,
    catalog: known,
    product,
    gates: options.featureGates,
    env,
  });
  const stopSystemObjects = await startSystemObjectsController(bootstrapped, {
    store,
    catalog,
    clock: env.clock,
    log: env.log,
    create: writeBootstrapObject,
  });
  const stopRepairs = serviceAddresses.startRepairs(
    createRepairEventRecorder({ client: ownClient, product, nowMs: () => env.clock.nowMs() }),
  );
  const stopDefinitions = startDefinitionController(definitions, writer, product, env);
  const compactor = createCompactor({ keySpace: storage, clock: env.clock, log: env.log, retentionMs: options.retentionMs });
  compactor.start();
  const stopControllers =
    options.controllers === 'none'
      ? () => {}
      : options.controllers({
          api: createLoopbackHandler(handle, loopback.token, product.rename('kube-controller-manager')),
          clock: env.clock,
          log: env.log,
          product,
          rootAuthority: options.rootAuthority,
          signSecretToken: (claims) => issuer.signForSecret(claims),
        });
  return {
    handle,
    onTrace(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    initiateShutdown: () => lifecycle.initiateShutdown(),
    stopTakingRequests: (how) => lifecycle.stopTakingRequests(how),
    async close() {
      stopControllers();
      stopRepairs();
      stopSystemObjects();
      authorization.close();
      compactor.stop();
      stopDefinitions();
      closing.abort();
      lifetimes.stop();
      definitions.stop();
      await options.auditing?.sink.close();
      await storage.close();
    },
  };
}

/** Authenticates the loopback client by a random token. Cf. upstream LoopbackClientConfig. */
function loopbackAuthenticator({ random }: Env): TokenAuthenticator & { readonly token: string } {
  const token = `${random.uuid()}.${random.uuid()}`;
  const user = { username: 'system:apiserver', uid: random.uuid(), groups: ['system:masters'], extra: {} };
  return { name: 'loopback', token, authenticate: (given) => (constantTimeEqual(token, given) ? { user, audiences: [] } : undefined) };
}
