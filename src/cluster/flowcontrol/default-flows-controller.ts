import { type ApiClient, hasStatus, type ResourceClient } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import { keyPrefix, watchEntries } from '../../registry/index.ts';
import { type flowcontrolv1, flowcontrolv1FlowSchemas, flowcontrolv1PriorityLevelConfigurations } from '../../schema/api/index.ts';
import type { BootstrapContext } from '../bootstrap/bootstrap.ts';
import { createFlowControlObjects, type StartupObject } from '../bootstrap/startup-objects.ts';
import { createSystemObjectWriter, type SystemObjectWriterOptions } from '../bootstrap/system-objects.ts';

export interface DefaultFlowsOptions extends SystemObjectWriterOptions, BootstrapContext {
  readonly client: ApiClient;
}

type FlowControlObject = flowcontrolv1.FlowSchema | flowcontrolv1.PriorityLevelConfiguration;

const intervalMs = 60_000;
/** Always restored, whatever their annotation. */
const mandatory: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

/**
 * Starts the controller that restores the server's own flow schemas and priority levels once a minute: missing ones are created, changed
 * ones get their specification back while their annotation allows it, and others with that annotation are deleted. Minutes without a
 * change of these kinds cost nothing. The returned function stops it. Cf. upstream registry/flowcontrol/ensurer.
 */
export async function startDefaultFlowsController(options: DefaultFlowsOptions): Promise<() => void> {
  const { catalog, product, store, env } = options;
  const { clock, log } = env;
  let isChanged = false;
  let isStopped = false;
  let cancel = (): void => undefined;
  const schedule = (): void => {
    if (!isStopped) cancel = clock.schedule(intervalMs, run);
  };
  const run = async (): Promise<void> => {
    if (isChanged) {
      isChanged = false;
      await restoreDefaultFlows(options).catch((error: unknown) => {
        isChanged = true;
        log.warn('flow schemas and priority levels are not restored', { error });
      });
    }
    schedule();
  };
  const markChanged = (): void => {
    isChanged = true;
  };
  const kinds = catalog.resourcesOf(product.rename('flowcontrol.apiserver.k8s.io/v1'));
  const stops = await Promise.all(kinds.map((resource) => watchEntries(store.keySpace, keyPrefix(resource), markChanged, log)));
  if (kinds.length > 0) schedule();
  return () => {
    isStopped = true;
    cancel();
    for (const stop of stops) stop();
  };
}

async function restoreDefaultFlows(options: DefaultFlowsOptions): Promise<void> {
  const { catalog, product, client, env } = options;
  const defaults = createFlowControlObjects(catalog, product, env.clock.nowMs());
  if (defaults.length === 0) return;
  const own = (resource: string): readonly StartupObject[] => defaults.filter((object) => object.resource === resource);
  await restoreAll(options, client.resource(flowcontrolv1PriorityLevelConfigurations), own('prioritylevelconfigurations'));
  await restoreAll(options, client.resource(flowcontrolv1FlowSchemas), own('flowschemas'));
}

async function restoreAll<T extends FlowControlObject>(
  options: DefaultFlowsOptions,
  resources: ResourceClient<T>,
  defaults: readonly StartupObject[],
): Promise<void> {
  const annotation = options.product.rename('apf.kubernetes.io/autoupdate-spec');
  const { items } = await resources.list({});
  const known = new Map(items.map((object) => [object.metadata.name ?? '', object]));
  const write = createSystemObjectWriter(options);
  for (const own of defaults) {
    const current = known.get(own.name);
    known.delete(own.name);
    const resource = options.catalog.resource(own.groupVersion, own.resource);
    if (!current && resource) await write({ resource, namespace: '', name: own.name }, own);
    const revised = current && reviseIfNeeded(current, own, annotation);
    if (revised) await ignoreStatus(409, resources.update(revised, { fieldManager: own.manager }));
  }
  for (const [name, { metadata }] of known)
    if (metadata.annotations?.[annotation] === 'true') await ignoreStatus(404, resources.delete({ name }));
}

/** The object as it should be; undefined when it is so. Cf. upstream strategy.ReviseIfNeeded. */
function reviseIfNeeded<T extends FlowControlObject>(current: T, own: StartupObject, annotation: string): T | undefined {
  const { annotations = {}, generation } = current.metadata;
  const given = annotations[annotation];
  const isBoolean = given === 'true' || given === 'false';
  const restores = mandatory.has(own.name) || (isBoolean ? given === 'true' : generation === 1);
  const isAnnotated = given === String(restores);
  const isChanged = restores && !isSameSpec(current, own);
  if (isAnnotated && !isChanged) return undefined;
  const metadata = { ...current.metadata, annotations: { ...annotations, [annotation]: String(restores) } };
  return { ...current, metadata, ...(isChanged ? { spec: own.object['spec'] } : {}) };
}

/** Shares of an exempt level may be changed. */
function isSameSpec({ spec }: FlowControlObject, { object }: StartupObject): boolean {
  const { spec: expected } = object as unknown as Pick<FlowControlObject, 'spec'>;
  return isExempt(expected) ? isExempt(spec) && 'exempt' in spec : sameJson(spec, expected);
}

const isExempt = (spec: FlowControlObject['spec']): boolean => 'type' in spec && spec.type === 'Exempt';

/** A conflict or an object deleted in the meantime is left to the next turn. */
async function ignoreStatus(status: number, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!hasStatus(error, status)) throw error;
  }
}
