import { admissionChain } from '../admission/index.ts';
import type { TokenAuthenticator } from '../authn/index.ts';
import { createEscalationChecker } from '../authz/index.ts';
import { ApiClient } from '../client/index.ts';
import { createProtobuf } from '../codec/index.ts';
import { ControllerHealth, type ControllerManagerOptions } from '../controllers/index.ts';
import { createTurnPace } from '../env/index.ts';
import { type ApiHandler, release } from '../meta/index.ts';
import type { ClusterNetwork } from '../network/index.ts';
import type { Catalog } from '../schema/index.ts';
import {
  type AggregatedApis,
  type AggregatedVersion,
  ByteBudget,
  createDiscovery,
  createOpenApi,
  createServer,
  Deadlines,
  definitionSchema,
  EventTexts,
  InFlightRequests,
  Lifecycle,
  Metrics,
  type OpenApi,
  type OpenApiOptions,
  type ServerDependencies,
  type TraceListener,
  unlimitedInFlight,
} from '../server/index.ts';
import { createKubeletRegistry, type Dialer, type KubeletRegistry } from '../streaming/index.ts';
import { createAuthentication } from './access/authentication.ts';
import { createAuthorization } from './access/authorization.ts';
import { createLoopbackTokens } from './access/loopback-tokens.ts';
import { createServiceAccountKeySource } from './access/service-account-keys.ts';
import { createWebhookPost, type WebhookPost } from './access/webhook-post.ts';
import { type AdmissionContext, createAdmissionPlugins } from './admission/admission-plugins.ts';
import { createNetworkOutbound } from './admission/network-outbound.ts';
import type { SendToService } from './aggregation/aggregated-services.ts';
import { createServiceSender } from './aggregation/service-sender.ts';
import { createServiceTransport } from './aggregation/service-transport.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createCustomConversion } from './definitions/webhook-conversion.ts';
import { hostPort } from './kubernetes-service/server-address.ts';
import type { Disposers } from './lifecycle/disposers.ts';
import { controllerChecks, createHealthChecks } from './lifecycle/health-checks.ts';
import { createResourceMetrics } from './lifecycle/resource-metrics.ts';
import { createDescriptionLoader } from './load-descriptions.ts';
import { createLoopbackHandler } from './loopback-handler.ts';
import { createConnectionHandler } from './network/serve-connections.ts';
import { createObjectSource } from './object-source.ts';
import type { Program } from './program.ts';
import type { ClusterRegistry } from './storage/open-registry.ts';

/** Memory limit for concurrent large lists in YAML, protobuf and CBOR: about ten lists of 1,500 objects of 4 KB. */
const largeResponsesMaxBytes = 64 * 1024 * 1024;

/** The API of a cluster, and the clients of the server's own components. */
export interface ApiServer {
  readonly handle: ApiHandler;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly inFlight: InFlightRequests;
  readonly traceListeners: Set<TraceListener>;
  readonly controllerHealth: ControllerHealth;
  /** The loopback client of the API server. */
  readonly client: ApiClient;
  /** The API with the identity of the controller manager. */
  readonly controllerManagerApi: ApiHandler;
  /** The API with the identity of a controller's service account. */
  readonly controllerAccountApi: (account: string) => ApiHandler;
  /** The API with the identity of the scheduler. */
  readonly schedulerApi: ApiHandler;
  /** The API with the identity of a component that runs simulated nodes. */
  readonly nodeManagerApi: ApiHandler;
  /** The API with the identity of a simulated node. */
  readonly nodeApi: (node: string) => ApiHandler;
  readonly signSecretToken: ControllerManagerOptions['signSecretToken'];
  /** Where nodes make their kubelets reachable. */
  readonly kubelets: KubeletRegistry;
  /** Undefined: pods have none. */
  readonly network: ClusterNetwork | undefined;
  readonly sendToService: SendToService;
}

type ConstantDependencies = Omit<ServerDependencies, 'catalog' | 'aggregated' | 'discovery' | 'openApi' | 'loadDescribeColumn'>;

/** Creates the request pipeline: authentication, authorization, admission and the verbs. */
export function createApiServer(options: ClusterOptions, program: Program, registry: ClusterRegistry, disposers: Disposers): ApiServer {
  const { env, product } = options;
  const loopback = createLoopbackTokens(env);
  const lifecycle = new Lifecycle(product.rename('kube-apiserver/'));
  const inFlight = new InFlightRequests(options.priorityAndFairness ? unlimitedInFlight : options.inFlightLimits, env.clock);
  const traceListeners = new Set<TraceListener>();
  const kubelets = createKubeletRegistry();
  const dialer = (): Dialer | undefined => network?.dialer ?? options.remoteNodes;
  const controllerHealth = new ControllerHealth();
  const ownChecks = createHealthChecks(options, lifecycle);
  const security = createSecurity(options, program, registry, { loopback, client: () => client });
  disposers.add(() => security.authorization.close());
  const post = createPost(options, program, registry, dialer);
  const { store } = registry;
  const sendToService = createSendToService(options, program, registry, dialer);
  const { codecOf } = program.custom;
  const conversion = createCustomConversion({ store, codecOf, post, product, clock: env.clock, random: env.random });
  registry.setConversion(conversion);
  const handle = serveDefinitions(options, registry, sendToService, {
    ...security,
    env,
    pace: createTurnPace(env.clock),
    product,
    kinds: registry.kinds,
    store,
    auditing: options.auditing,
    escalationChecker: createEscalationChecker(registry.roles, security.authorization, product),
    admission: createAdmission(options, program, registry, {
      authorization: security.authorization,
      client: () => client,
      post,
      conversion,
      metrics: security.metrics,
    }),
    custom: {
      isTerminating: ({ definition }) => registry.definitions.snapshot().terminating.has(definition),
      firstRevision: ({ definition }) => registry.definitions.createRevisionOf(definition),
      storeOf: conversion.storeOf,
      onServingEnd: (resource, end) => registry.lifetimes.onServingEnd(resource, end),
    },
    kubelets: options.remoteNodes ?? kubelets,
    dialer,
    streamProtocols: options.streamProtocols,
    resourceMetrics: createResourceMetrics({ store, catalog: program.known, product, clock: env.clock }),
    healthChecks: () => [...ownChecks, ...controllerChecks(controllerHealth)],
    eventTexts: new EventTexts(),
    protobuf: createProtobuf(program.catalog, product),
    decode: program.decoder,
    featureGates: options.featureGates,
    watchCache: options.watchCache,
    profiling: options.profiling,
    goawayChance: options.goawayChance,
    emulatedMinor: options.emulatedMinor,
    corsAndHsts: options.corsAndHsts,
    flowControl: registry.flowControl,
    deadlines: new Deadlines(env.clock),
    timeouts: options.timeouts,
    lifecycle,
    inFlight,
    largeAnswers: new ByteBudget(largeResponsesMaxBytes),
    timingHeaders: options.timingHeaders,
    debugDocument: options.debugDocument,
    traceListeners,
    hostMetrics: options.hostMetrics,
    disabledMetrics: options.disabledMetrics,
    hostPages: options.hostPages,
  });
  const closing = new AbortController();
  disposers.add(() => closing.abort());
  const apiOf = (component: string, username?: string): ApiHandler =>
    createLoopbackHandler(handle, username === undefined ? loopback.token : loopback.tokenOf(username), component);
  const ownApi = countOwnRequests(apiOf(product.rename('kube-apiserver')), security.metrics, hostPort(options.advertiseAddress));
  const client = new ApiClient({ api: ownApi, product, signal: closing.signal });
  const { clock, random } = env;
  const { ip: address, port } = options.advertiseAddress;
  const server = { address, port, tls: options.servingCertificate, accept: createConnectionHandler(handle) };
  const network = options.network?.({ client, clock, random, product, server, signal: closing.signal });
  const controllerManager = product.rename('kube-controller-manager');
  return {
    handle,
    metrics: security.metrics,
    lifecycle,
    inFlight,
    traceListeners,
    controllerHealth,
    client,
    controllerAccountApi: (account) => apiOf(controllerManager, `system:serviceaccount:${product.names.systemNamespace}:${account}`),
    controllerManagerApi: apiOf(controllerManager),
    schedulerApi: apiOf(product.rename('kube-scheduler'), product.rename('system:kube-scheduler')),
    nodeManagerApi: apiOf('kwok'),
    nodeApi: (node) => apiOf('kubelet', `system:node:${node}`),
    kubelets,
    network,
    sendToService,
    signSecretToken: (claims) => security.issuer.signForSecret(claims),
  };
}

function countOwnRequests(api: ApiHandler, metrics: Metrics, host: string): ApiHandler {
  return async (request) => {
    const response = await api(request);
    metrics.countOwnRequest(request.method, response.status, host);
    return response;
  };
}

interface LoopbackAccess {
  readonly loopback: TokenAuthenticator;
  /** The loopback client, which exists once the server does. */
  readonly client: () => ApiClient;
}

function createSecurity(
  options: ClusterOptions,
  { known, defaultRoles }: Program,
  { store, roles }: ClusterRegistry,
  { loopback, client }: LoopbackAccess,
): Pick<ServerDependencies, 'authentication' | 'issuer' | 'metrics'> & { readonly authorization: ReturnType<typeof createAuthorization> } {
  const { env, storage, product } = options;
  const files = [options.authentication.file, options.authorization.file, options.encryptionFile].flatMap((file) => file ?? []);
  const metrics = new Metrics({ gates: options.featureGates, configurations: files, clock: env.clock });
  const source = { store, catalog: known, product, env };
  const authorization = createAuthorization(options.authorization, { ...source, roles, defaults: defaultRoles, metrics });
  const { authentication, issuer } = createAuthentication(options.authentication, {
    ...source,
    keys: createServiceAccountKeySource(options.authentication.serviceAccounts, storage, options.createSigningKey),
    loopback,
    advertiseAddress: options.advertiseAddress,
    patch: async (target, object) => {
      const contentType = 'application/merge-patch+json';
      await client()
        .send('PATCH', target, { body: object, contentType })
        .catch((error: unknown) => env.log.warn('own patch refused', { target, error }));
    },
  });
  return { authentication, issuer, authorization, metrics };
}

/** Sends requests to aggregated API servers: registered ones, those in pods, and those outside of the cluster. */
function createSendToService(
  { product, aggregation }: ClusterOptions,
  { known }: Program,
  { store }: ClusterRegistry,
  dialer: ServerDependencies['dialer'],
): SendToService {
  const source = { store, catalog: known, product };
  return createServiceSender({
    transport: createServiceTransport(aggregation.transport, dialer),
    services: createObjectSource(source, 'v1', 'services'),
    endpointSlices: createObjectSource(source, 'discovery.k8s.io/v1', 'endpointslices'),
    // Without a network there are no cluster IPs.
    routesToEndpoints: () => aggregation.routesToEndpoints || !dialer(),
    product,
  });
}

/** Calls webhooks for admission and conversion, also those in pods. */
function createPost(
  { env, product, admission }: ClusterOptions,
  { known }: Program,
  { store }: ClusterRegistry,
  dialer: ServerDependencies['dialer'],
): WebhookPost | undefined {
  if (!admission.outbound) return undefined;
  const outbound = createNetworkOutbound({ outbound: admission.outbound, dialer, clock: env.clock });
  return createWebhookPost(outbound, createObjectSource({ store, catalog: known, product }, 'v1', 'services'));
}

function createAdmission(
  { env, product, controllers, featureGates, admission: choice }: ClusterOptions,
  { known, decoder }: Program,
  { store, kinds, definitions, registrations }: ClusterRegistry,
  {
    authorization,
    client,
    post,
    conversion,
    metrics,
  }: Pick<AdmissionContext, 'authorization' | 'client' | 'post' | 'conversion'> & Pick<ServerDependencies, 'metrics'>,
): ServerDependencies['admission'] {
  return admissionChain(
    createAdmissionPlugins({
      store,
      conversion,
      catalog: known,
      product,
      random: env.random,
      clock: env.clock,
      createsDefaultAccounts: controllers !== 'none',
      authorization,
      client,
      kinds,
      decode: decoder,
      served: () => definitions.snapshot().catalog,
      registrations,
      featureGates,
      choice,
      post,
      metrics,
      log: env.log,
    }),
    { clock: env.clock, observe: (...measured) => metrics.observeAdmissionPlugin(...measured) },
  );
}

/** The OpenAPI documents of other servers, by the priority of their groups and versions. Cf. kube-aggregator openapi/aggregator priority.go. */
function specsOf({ versions, groupPriority }: AggregatedApis): OpenApiOptions['services'] {
  const nameOf = ({ group, version }: AggregatedVersion): string => `${version}.${group}`;
  return [...versions]
    .sort((a, b) => {
      const difference = a.group === b.group ? b.priority - a.priority : groupPriority(b.group) - groupPriority(a.group);
      return difference || (nameOf(a) < nameOf(b) ? -1 : 1);
    })
    .flatMap(({ group, version, openApiV2, openApiUrls }) =>
      openApiV2 ? [{ group, version, document: openApiV2, isConverted: !openApiUrls }] : [],
    );
}

/** Serves the built-in resources and those of the definitions: discovery and OpenAPI follow the definitions. */
function serveDefinitions(
  { env, product, advertiseAddress, loadDescriptions, emulatedMinor }: ClusterOptions,
  { definitions, apiServices, aggregatedServices }: ClusterRegistry,
  sendToService: SendToService,
  constant: ConstantDependencies,
): ApiHandler {
  const { loadDescribeType, loadDescribeColumn } = createDescriptionLoader(loadDescriptions, product, env.log);
  let latestOpenApi: OpenApi | undefined;
  const createLatestOpenApi = (served: Catalog, aggregated: AggregatedApis): OpenApi => {
    latestOpenApi = createOpenApi({
      catalog: served,
      product,
      release: `${release.major}.${emulatedMinor}`,
      loadDescriptions: loadDescribeType,
      clock: env.clock,
      services: specsOf(aggregated),
      customSchema: ({ custom: version }, dialect) => version && definitionSchema(version.schema.source, dialect, product),
      ...(latestOpenApi ? { previous: latestOpenApi } : {}),
    });
    return latestOpenApi;
  };
  const createDependencies = (served: Catalog, aggregated: AggregatedApis): ServerDependencies => {
    let openApi: OpenApi | undefined;
    return {
      ...constant,
      catalog: served,
      aggregated,
      loadDescribeColumn,
      discovery: createDiscovery({ catalog: served, product, serverAddress: hostPort(advertiseAddress), aggregated }),
      openApi: () => {
        openApi ??= createLatestOpenApi(served, aggregated);
        return openApi;
      },
    };
  };
  const servedCatalog = (): Catalog => apiServices.extend(definitions.snapshot().catalog);
  let dependencies = createDependencies(servedCatalog(), aggregatedServices.apis(sendToService));
  return createServer(() => {
    const served = servedCatalog();
    const aggregated = aggregatedServices.apis(sendToService);
    if (served !== dependencies.catalog || aggregated !== dependencies.aggregated) dependencies = createDependencies(served, aggregated);
    return dependencies;
  });
}
