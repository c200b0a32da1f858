import { compileDeviceSelector } from '../../cel/index.ts';
import { formatTime } from '../../meta/index.ts';
import { startDefinitionController } from '../../registry/index.ts';
import { createCompactor } from '../../storage/index.ts';
import { createRepairEventRecorder } from '../addresses/repair-events.ts';
import { startAvailabilityController } from '../aggregation/availability-controller.ts';
import { createBootstrapObjectWriter } from '../bootstrap/bootstrap.ts';
import { createBootstrapObjects } from '../bootstrap/bootstrap-objects.ts';
import { bootstrapRoles } from '../bootstrap/bootstrap-roles.ts';
import { bootstrapStartupObjects } from '../bootstrap/bootstrap-startup-objects.ts';
import { startAuthorityPublisher } from '../bootstrap/publish-authorities.ts';
import { startSystemObjectsController } from '../bootstrap/system-objects-controller.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { ApiServer } from '../create-api-server.ts';
import { createDefinitionWriter } from '../definitions/definition-writer.ts';
import { startApiServiceRegistration } from '../definitions/register-api-services.ts';
import { startDefaultFlowsController } from '../flowcontrol/default-flows-controller.ts';
import { startFlowSchemaStatusController } from '../flowcontrol/flow-schema-status.ts';
import { startKubernetesServiceController } from '../kubernetes-service/kubernetes-service-controller.ts';
import type { Program } from '../program.ts';
import type { ClusterRegistry } from '../storage/open-registry.ts';
import type { Disposers } from './disposers.ts';
import { startIdentityLease } from './identity-lease.ts';

/** Creates the objects that every cluster has, and starts the control loops that restore them. */
export async function bootstrapObjects(
  options: ClusterOptions,
  { catalog, defaultRoles }: Program,
  { store, kinds }: ClusterRegistry,
  { client }: ApiServer,
  disposers: Disposers,
): Promise<void> {
  const { env, product, serviceRanges: ranges, advertiseAddress: address, endpointReconcilerType: type, sharedStorage } = options;
  const create = createBootstrapObjectWriter(client, { catalog }, () => formatTime(env.clock.nowMs()));
  const objects = createBootstrapObjects(product, ranges, address.port);
  for (const object of objects) await create(object);
  await bootstrapStartupObjects({ env, product, catalog, kinds, store, ranges });
  if (catalog.resourcesOf(product.rename('rbac.authorization.k8s.io/v1')).length > 0) {
    await bootstrapRoles({ env, product, catalog, kinds, store, defaults: defaultRoles }, client);
  }
  disposers.add(await startDefaultFlowsController({ env, product, catalog, kinds, store, client }));
  disposers.add(await startSystemObjectsController(objects, { store, catalog, clock: env.clock, log: env.log, create }));
  disposers.add(await startKubernetesServiceController({ client, env, product, catalog, store, address, type, sharedStorage }));
}

/** Starts the control loops of the API server, and the controllers. */
export async function startControlLoops(
  options: ClusterOptions,
  { catalog, known }: Program,
  { store, kinds, definitions, serviceAddresses, aggregatedServices: services }: ClusterRegistry,
  {
    client,
    metrics,
    controllerHealth: health,
    controllerManagerApi: api,
    controllerAccountApi: accountApi,
    schedulerApi,
    nodeManagerApi,
    nodeApi,
    signSecretToken,
    kubelets,
    network,
    sendToService: send,
  }: ApiServer,
  disposers: Disposers,
): Promise<void> {
  const { env, product, storage, rootAuthority, certificateAuthority, retentionMs } = options;
  const { clock, log } = env;
  disposers.add(serviceAddresses.startRepairs(createRepairEventRecorder({ client, product, nowMs: () => clock.nowMs() })));
  const writer = createDefinitionWriter({ client, store, kinds, catalog: known, product, gates: options.featureGates, env });
  disposers.add(startDefinitionController(definitions, writer, product, env));
  const compactor = createCompactor({ keySpace: storage, clock, log, retentionMs });
  compactor.start();
  disposers.add(() => compactor.stop());
  const shared = { clock, log, product };
  const loop = { ...shared, client, metrics };
  const { ownAuthorities } = options.authentication;
  if (ownAuthorities) disposers.add(startAuthorityPublisher(ownAuthorities, loop));
  disposers.add(await startFlowSchemaStatusController({ ...loop, store, catalog }));
  disposers.add(await startApiServiceRegistration({ ...loop, store, definitions, catalog }));
  disposers.add(await startAvailabilityController({ ...loop, services, send, store, catalog }));
  const { identity } = options;
  if (identity && options.featureGates.enabled('APIServerIdentity')) disposers.add(startIdentityLease({ client, env, product, identity }));
  if (options.controllers !== 'none') {
    disposers.add(options.controllers({ api, accountApi, ...shared, rootAuthority, certificateAuthority, signSecretToken, health }));
  }
  if (options.scheduler !== 'none') {
    const loadDeviceSelectors = async (): Promise<typeof compileDeviceSelector> => compileDeviceSelector;
    const deviceTaints = options.featureGates.enabled('DRADeviceTaints');
    disposers.add(options.scheduler({ api: schedulerApi, ...shared, random: env.random, loadDeviceSelectors, deviceTaints }));
  }
  if (options.nodes !== 'none')
    disposers.add(
      options.nodes({
        ...env,
        api: nodeManagerApi,
        apiOf: nodeApi,
        product,
        kubelets,
        network,
      }),
    );
}
