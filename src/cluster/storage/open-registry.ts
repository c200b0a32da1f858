import type { RoleIndex } from '../../authz/index.ts';
import type { Clock } from '../../env/index.ts';
import { FlowController } from '../../flowcontrol/index.ts';
import { formatTime } from '../../meta/index.ts';
import {
  createConversion,
  createServingLifetimes,
  type DefinitionInformer,
  ObjectStore,
  ServiceAllocator,
  type ServingLifetimes,
  SharedLock,
  startDefinitionInformer,
  strategyFor,
  watchAdminNamespaces,
  watchServices,
  withAdminAccessCheck,
  withServiceAllocation,
} from '../../registry/index.ts';
import type { Catalog, DefaultingContext, DeferFill } from '../../schema/index.ts';
import { createKinds, type Kinds } from '../../server/index.ts';
import { watchRoles } from '../access/watch-roles.ts';
import { type ServiceAddressController, startServiceAddressController } from '../addresses/service-addresses.ts';
import { type AdmissionRegistrations, watchPolicies } from '../admission/watch-policies.ts';
import { AggregatedServices } from '../aggregation/aggregated-services.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import { type ApiServices, watchApiServices } from '../definitions/api-services.ts';
import type { CustomConversion } from '../definitions/webhook-conversion.ts';
import { watchFlowSchemas } from '../flowcontrol/watch-flow-schemas.ts';
import type { Disposers } from '../lifecycle/disposers.ts';
import type { Program } from '../program.ts';

type FieldConversion = Pick<CustomConversion, 'unprunedInVersion'>;

/** The stored objects of a cluster, and what the server derives from them. */
export interface ClusterRegistry {
  readonly store: ObjectStore;
  readonly kinds: Kinds;
  readonly definitions: DefinitionInformer;
  readonly lifetimes: ServingLifetimes;
  readonly serviceAddresses: ServiceAddressController;
  readonly roles: RoleIndex;
  /** Undefined: flow control is off. */
  readonly flowControl: FlowController | undefined;
  readonly registrations: AdmissionRegistrations;
  readonly apiServices: ApiServices;
  readonly aggregatedServices: AggregatedServices;
  /** Receives the conversion of custom resources, which needs the registry itself. */
  readonly setConversion: (conversion: FieldConversion) => void;
}

/** Opens the store and reads the objects that the server itself depends on. */
export async function openRegistry(options: ClusterOptions, program: Program, disposers: Disposers): Promise<ClusterRegistry> {
  const { env, storage, product } = options;
  const { catalog, known } = program;
  const store = new ObjectStore(storage, { nameCorrupt: options.featureGates.enabled('AllowUnsafeMalformedObjectDeletion') });
  const addresses = new ServiceAllocator(options.serviceRanges);
  let conversion: FieldConversion = { unprunedInVersion: async (object) => object };
  const kinds = await openKinds(options, program, store, { addresses, conversion: () => conversion });
  const definitions = await startDefinitionInformer(store, { catalog, known, product, log: env.log });
  disposers.add(() => definitions.stop());
  const lifetimes = createServingLifetimes(definitions, env.clock);
  disposers.add(() => lifetimes.stop());
  await watchServices(store, known, addresses, env.log);
  return {
    store,
    kinds,
    definitions,
    lifetimes,
    serviceAddresses: await startServiceAddressController({ env, kinds, store, catalog: known, product, allocator: addresses }),
    roles: await watchRoles(store, known, product, env.log),
    flowControl: await startFlowControl(options, store, known),
    registrations: await watchPolicies(store, { catalog, known, product, featureGates: options.featureGates, log: env.log }),
    apiServices: await watchApiServices(store, known, product, env.log),
    aggregatedServices: await AggregatedServices.open({ store, catalog: known, product, log: env.log }),
    setConversion(set) {
      conversion = set;
    },
  };
}

async function startFlowControl(
  { env, product, inFlightLimits: { readOnly, mutating }, priorityAndFairness }: ClusterOptions,
  store: ObjectStore,
  catalog: Catalog,
): Promise<FlowController | undefined> {
  if (!priorityAndFairness) return undefined;
  const flowControl = new FlowController({ clock: env.clock, serverSeats: readOnly + mutating });
  await watchFlowSchemas(flowControl, store, catalog, product, env.log);
  return flowControl;
}

class RequestDefaultingContext implements DefaultingContext {
  readonly deferFill?: DeferFill;
  readonly #clock: Clock;

  constructor(clock: Clock, deferFill: DeferFill | undefined) {
    this.#clock = clock;
    if (deferFill) this.deferFill = deferFill;
  }

  /** A getter, because few defaults are times. */
  get now(): string {
    return formatTime(this.#clock.nowMs());
  }
}

async function openKinds(
  { env, storage, sharedStorage, product }: ClusterOptions,
  { catalog, known, decoder, defaulter, validation, custom }: Program,
  store: ObjectStore,
  { addresses, conversion }: { readonly addresses: ServiceAllocator; readonly conversion: () => FieldConversion },
): Promise<Kinds> {
  const lock = sharedStorage ? new SharedLock(storage, 'services', env) : undefined;
  const administrators = await watchAdminNamespaces(store, known, product, env.log);
  return createKinds({
    product,
    scaleSchema: catalog.type('autoscaling/v1.Scale'),
    strategyOf: (resource) => {
      const ofKind = custom.strategyOf(resource) ?? strategyFor(resource, { decode: decoder, validation });
      return withAdminAccessCheck(resource, withServiceAllocation(resource, ofKind, addresses, lock), administrators);
    },
    decode: decoder,
    withDefaults: (schema, object, deferFill) => defaulter(schema, object, new RequestDefaultingContext(env.clock, deferFill)),
    validateMetadata: (resource, object) => validation.metadata(resource, object),
    validateMetadataUpdate: (resource, next, old) => validation.metadataUpdate(resource, next, old),
    schemaOf: (groupVersion, kind) => catalog.kind(groupVersion, kind),
    convert: createConversion(product),
    customCodec: (resource) => custom.codecOf(resource),
    convertCustom: (object, resource, apiVersion) => conversion().unprunedInVersion(object, resource, apiVersion),
  });
}
