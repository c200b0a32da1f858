import {
  type ApiObject,
  type Json,
  type JsonObject,
  objectsAt,
  type Product,
  parseJsonObjects,
  recordAt,
  stringifyJson,
  withMetadata,
} from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import { fromInternalBehavior, toInternalBehavior } from './autoscaler-behavior.ts';
import { toV1Metric, toV1MetricStatus, toV2Metric, toV2MetricStatus } from './autoscaler-metrics.ts';

export interface AutoscalerConversion {
  toV1(autoscaler: ApiObject): ApiObject;
  toV2(autoscaler: ApiObject): ApiObject;
}

/**
 * autoscaling v2 ↔ v1: annotations carry the values that v1 has no fields for. Cf. upstream pkg/apis/autoscaling/v1/conversion.go.
 */
export function createAutoscalerConversion(product: Product): AutoscalerConversion {
  const annotation = (what: string): string => product.rename(`autoscaling.alpha.kubernetes.io/${what}`);
  const names = {
    behavior: annotation('behavior'),
    conditions: annotation('conditions'),
    currentMetrics: annotation('current-metrics'),
    metrics: annotation('metrics'),
  };
  return { toV1: (autoscaler) => toV1(autoscaler, names), toV2: (autoscaler) => toV2(autoscaler, names) };
}

type AnnotationNames = Readonly<Record<'behavior' | 'conditions' | 'currentMetrics' | 'metrics', string>>;

/** Annotations of all versions that have fields of other versions; those of tolerances are of v2beta2. */
const roundTripAnnotation = /^autoscaling\.alpha\.[a-z.]+\/(?:behavior|conditions|(?:current-)?metrics|scale-(?:down|up)-tolerance)$/;

/** An object of v2, which has fields for everything. Cf. DropRoundTripHorizontalPodAutoscalerAnnotations. */
export function withoutRoundTripAnnotations(autoscaler: ApiObject): ApiObject {
  const { annotations = {} } = autoscaler.metadata;
  if (!autoscaler.apiVersion?.endsWith('/v2') || !Object.keys(annotations).some((name) => roundTripAnnotation.test(name)))
    return autoscaler;
  return withAnnotations(autoscaler, {}, {});
}

function toV1(autoscaler: ApiObject, names: AnnotationNames): ApiObject {
  const [spec, status] = [recordAt(autoscaler, 'spec'), recordAt(autoscaler, 'status')];
  const metrics = objectsAt(spec, 'metrics');
  const cpu = metrics.find(isCpuUtilization);
  const others = metrics.filter((metric) => metric !== cpu);
  const current = objectsAt(status, 'currentMetrics');
  const conditions = objectsAt(status, 'conditions');
  const annotations: Record<string, Json> = {
    ...(spec['behavior'] === undefined ? {} : { [names.behavior]: toInternalBehavior(recordAt(spec, 'behavior')) }),
    ...(conditions.length > 0 ? { [names.conditions]: conditions } : {}),
    ...(current.length > 0 ? { [names.currentMetrics]: current.map(toV1MetricStatus) } : {}),
    ...(others.length > 0 ? { [names.metrics]: others.map(toV1Metric) } : {}),
  };
  const texts = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, stringifyJson(value)]));
  const currentCpu = current.find(isCpu);
  const { metrics: _, behavior: __, ...sameSpec } = spec;
  return withAnnotations(autoscaler, texts, {
    spec: withMembers(sameSpec, { targetCPUUtilizationPercentage: utilizationOf(cpu, 'target') }),
    status: statusWith(status, { currentCPUUtilizationPercentage: utilizationOf(currentCpu, 'current') }),
  });
}

function toV2(autoscaler: ApiObject, names: AnnotationNames): ApiObject {
  const [spec, status] = [recordAt(autoscaler, 'spec'), recordAt(autoscaler, 'status')];
  const textOf = (name: string): string => autoscaler.metadata.annotations?.[name] ?? '';
  const { targetCPUUtilizationPercentage: target, ...sameSpec } = spec;
  const { currentCPUUtilizationPercentage: current } = status;
  const cpu = target === undefined ? [] : [cpuMetric('target', { type: 'Utilization', averageUtilization: target })];
  const metrics = [...parseJsonObjects(textOf(names.metrics)).map(toV2Metric), ...cpu];
  const currentCpu = current === undefined ? [] : [cpuMetric('current', { averageUtilization: current })];
  const listed = parseJsonObjects(textOf(names.currentMetrics)).map(toV2MetricStatus);
  const currentMetrics = listed.length > 0 ? listed : currentCpu;
  const conditions = parseJsonObjects(textOf(names.conditions));
  return withAnnotations(
    autoscaler,
    {},
    {
      spec: withMembers(sameSpec, {
        metrics: metrics.length > 0 ? metrics : undefined,
        behavior: fromInternalBehavior(textOf(names.behavior)),
      }),
      status: statusWith(status, {
        currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
        conditions: conditions.length > 0 ? conditions : undefined,
      }),
    },
  );
}

function statusWith(status: JsonObject, members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas } = status;
  // v1 always writes the current number of replicas, v2 omits 0.
  const isV1 = 'currentCPUUtilizationPercentage' in members;
  const replicas = isV1 ? (currentReplicas ?? 0) : currentReplicas === 0 ? undefined : currentReplicas;
  return withMembers(
    {},
    { observedGeneration, lastScaleTime, currentReplicas: replicas, desiredReplicas: desiredReplicas ?? 0, ...members },
  );
}

/** Sets spec and status, and replaces the conversion annotations by `texts`. */
function withAnnotations(
  autoscaler: ApiObject,
  texts: Readonly<Record<string, string>>,
  parts: { readonly spec?: JsonObject; readonly status?: JsonObject },
): ApiObject {
  const own = Object.entries(autoscaler.metadata.annotations ?? {}).filter(([name]) => !roundTripAnnotation.test(name));
  const annotations = Object.fromEntries([...own, ...Object.entries(texts)].sort(([a], [b]) => (a < b ? -1 : 1)));
  const next = { ...autoscaler, ...parts };
  return withMetadata(next, { annotations: Object.keys(annotations).length > 0 ? annotations : undefined });
}

function isCpu(metric: JsonObject): boolean {
  return metric['type'] === 'Resource' && recordAt(metric, 'resource')['name'] === 'cpu';
}

function isCpuUtilization(metric: JsonObject): boolean {
  return isCpu(metric) && utilizationOf(metric, 'target') !== undefined;
}

function utilizationOf(metric: JsonObject | undefined, part: 'target' | 'current'): Json | undefined {
  return recordAt(recordAt(metric, 'resource'), part)['averageUtilization'];
}

function cpuMetric(part: 'target' | 'current', value: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [part]: value } };
}
