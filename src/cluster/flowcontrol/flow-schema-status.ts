import { type ApiClient, hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import type { Clock, Log } from '../../env/index.ts';
import { formatTime, type Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import { type flowcontrolv1, flowcontrolv1FlowSchemas } from '../../schema/api/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { Metrics } from '../../server/index.ts';

export interface FlowSchemaStatusOptions {
  readonly client: ApiClient;
  readonly metrics: Pick<Metrics, 'addQueue'>;
  readonly store: ObjectStore;
  /** The served resources. */
  readonly catalog: Catalog;
  readonly product: Product;
  readonly clock: Clock;
  readonly log: Log;
}

/** The field manager of the condition. */
export const flowSchemaStatusManager = 'api-priority-and-fairness-config-consumer-v1';

/** The condition by which a flow schema shows whether its priority level exists. Cf. upstream presyncFlowSchemaStatus. */
export function danglingCondition(level: string, exists: boolean, now: string): flowcontrolv1.FlowSchemaCondition {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    lastTransitionTime: now,
    reason: exists ? 'Found' : 'NotFound',
    message: exists ? `${reference} and it exists` : `${reference} but there is no such object`,
  };
}

/**
 * Starts the controller that writes the condition `Dangling` of flow schemas, after changes of schemas and priority levels. The returned
 * function stops it. Cf. k8s.io/apiserver util/flowcontrol/apf_controller.go.
 */
export async function startFlowSchemaStatusController(options: FlowSchemaStatusOptions): Promise<() => void> {
  const { client, store, catalog, product, metrics, clock, log } = options;
  const groupVersion = product.rename('flowcontrol.apiserver.k8s.io/v1');
  const [schemaResource, levelResource] = ['flowschemas', 'prioritylevelconfigurations'].map((name) =>
    catalog.resource(groupVersion, name),
  );
  if (!schemaResource || !levelResource) return () => undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const queue = new WorkQueue<string>({ clock, signal });
  metrics.addQueue('priority_and_fairness_config_queue', queue);
  const schemas = new Map<string, flowcontrolv1.FlowSchema>();
  const levels = new Set<string>();
  const reconcile = async (name: string): Promise<void> => {
    const schema = schemas.get(name);
    if (!schema) return;
    const level = schema.spec?.priorityLevelConfiguration.name ?? '';
    const current = schema.status?.conditions?.find(({ type }) => type === 'Dangling');
    const desired = danglingCondition(level, levels.has(level), formatTime(clock.nowMs()));
    if (current?.status === desired.status && current?.reason === desired.reason && current?.message === desired.message) return;
    const applied = { metadata: { name }, status: { conditions: [desired] } };
    const how = { subresource: 'status', fieldManager: flowSchemaStatusManager };
    await client
      .resource(flowcontrolv1FlowSchemas)
      .apply(applied, how)
      .catch((error: unknown) => {
        // It was deleted in the meantime.
        if (!hasStatus(error, 404)) throw error;
      });
  };
  const stops = [
    await watchObjects(
      store,
      levelResource,
      (key, object) => {
        const name = key.slice(keyPrefix(levelResource).length);
        if (object) levels.add(name);
        else levels.delete(name);
        for (const [schema, { spec }] of schemas) if (spec?.priorityLevelConfiguration.name === name) queue.add(schema);
      },
      log,
    ),
    await watchObjects(
      store,
      schemaResource,
      (key, object) => {
        const name = key.slice(keyPrefix(schemaResource).length);
        if (object) schemas.set(name, object as unknown as flowcontrolv1.FlowSchema);
        else schemas.delete(name);
        queue.add(name);
      },
      log,
    ),
  ];
  runWorkers({ queue, workers: 1, reconcile, name: 'priority-and-fairness-config-consumer', log, signal });
  return () => {
    ending.abort();
    for (const stop of stops) stop();
  };
}
