import { errorMessage } from '../../env/index.ts';
import { canonicalQuantity } from '../../meta/index.ts';
import type { autoscalingv2 } from '../../schema/api/index.ts';
import { formatSelector } from '../format-selector.ts';
import { type MetricsClient, milli } from './metrics-client.ts';
import {
  type PodsInput,
  type Proposal,
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
} from './replica-calculator.ts';

/** The target of an autoscaler. */
export interface MetricInput extends PodsInput {
  readonly metrics: MetricsClient;
  readonly namespace: string;
  /** Selector of the pods, as text. */
  readonly selector: string;
  readonly statusReplicas: number;
}

export interface MetricProposal {
  readonly replicas: number;
  /** The metric, in events. */
  readonly name: string;
  readonly status: autoscalingv2.MetricStatus;
}

/** A metric could not be computed. `message` is the whole error. */
export class MetricError extends Error {
  override readonly name = 'MetricError';
  /** Of the event and the condition. */
  readonly reason: string;
  /** The message of the event. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

type Compute = (spec: autoscalingv2.MetricSpec, input: MetricInput) => Promise<MetricProposal>;

/** Cf. pkg/controller/podautoscaler/horizontal.go computeReplicasForMetric. @throws MetricError */
export async function computeMetric(spec: autoscalingv2.MetricSpec, input: MetricInput): Promise<MetricProposal> {
  const compute = computations[spec.type];
  if (compute) return compute(spec, input);
  const text = `unknown metric source type ${JSON.stringify(spec.type)}`;
  throw new MetricError('InvalidMetricSourceType', text, text);
}

const computations: Readonly<Record<string, Compute>> = {
  Resource: async ({ resource }, input) => {
    const { name = '', target } = resource ?? {};
    const outer = `failed to get ${name} resource metric value`;
    return failing('FailedGetResourceMetric', outer, async () => {
      const { current, ...proposal } = await computeResource(name, target, '', 'resource', input);
      return { ...proposal, status: { type: 'Resource', resource: { name, current } } };
    });
  },
  ContainerResource: async ({ containerResource }, input) => {
    const { name = '', target, container = '' } = containerResource ?? {};
    const outer = `failed to get ${container} container metric value`;
    return failing('FailedGetContainerResourceMetric', outer, async () => {
      const { current, ...proposal } = await computeResource(name, target, container, 'container resource', input);
      return { ...proposal, status: { type: 'ContainerResource', containerResource: { name, container, current } } };
    });
  },
  Pods: async ({ pods }, input) =>
    failing('FailedGetPodsMetric', 'failed to get pods metric value', async () => {
      const { metric = { name: '' }, target } = pods ?? {};
      const read = input.metrics.pods(metric, input.namespace, input.selector);
      const metrics = await wrapped(`unable to get metric ${metric.name}`, read);
      const { replicas, usage } = replicasForAverage(metrics, milli(target?.averageValue ?? '0'), '', input);
      const current = { averageValue: formatMilli(usage) };
      return { replicas, name: `pods metric ${metric.name}`, status: { type: 'Pods', pods: { metric, current } } };
    }),
  Object: async ({ object }, input) => computeObject(object, input),
  External: async ({ external }, input) => computeExternal(external, input),
};

async function computeResource(
  resource: string,
  target: autoscalingv2.MetricTarget | undefined,
  container: string,
  kind: string,
  input: MetricInput,
): Promise<Omit<MetricProposal, 'status'> & { readonly current: autoscalingv2.MetricValueStatus }> {
  const { averageValue, averageUtilization } = target ?? {};
  const read = async () =>
    wrapped(`unable to get metrics for resource ${resource}`, input.metrics.resource(resource, input.namespace, input.selector, container));
  if (averageValue !== undefined) {
    const compute = async (): Promise<Proposal> => replicasForAverage(await read(), milli(averageValue), resource, input);
    const { replicas, usage } = await wrapped(`failed to get ${resource} usage`, compute());
    return { replicas, name: `${resource} resource`, current: { averageValue: formatUsage(resource, usage) } };
  }
  if (averageUtilization === undefined) {
    throw new Error('invalid resource metric source: neither an average utilization target nor an average value (usage) target was set');
  }
  const compute = async (): Promise<Proposal> =>
    replicasForUtilization(await read(), { resource, container, percent: averageUtilization }, input);
  const { replicas, usage, utilization = 0 } = await wrapped(`failed to get ${resource} utilization`, compute());
  const current = { averageUtilization: utilization, averageValue: formatUsage(resource, usage) };
  return { replicas, name: `${resource} ${kind} utilization (percentage of request)`, current };
}

async function computeObject(source: autoscalingv2.ObjectMetricSource | undefined, input: MetricInput): Promise<MetricProposal> {
  const { describedObject = { kind: '', name: '' }, metric = { name: '' }, target } = source ?? {};
  const [reason, outer] = ['FailedGetObjectMetric', 'failed to get object metric value'];
  const { kind, name } = describedObject;
  const read = async (): Promise<number> => {
    try {
      return await input.metrics.object(metric, input.namespace, describedObject);
    } catch (error) {
      throw new Error(`unable to get metric ${metric.name}: ${errorMessage(error)} on ${kind} ${input.namespace}/${name}`);
    }
  };
  const status = (current: autoscalingv2.MetricValueStatus): autoscalingv2.MetricStatus => ({
    type: 'Object',
    object: { describedObject, metric, current },
  });
  if (target?.type === 'Value' && target.value !== undefined) {
    const { value } = target;
    return failing(reason, outer, async () => {
      const { replicas, usage } = replicasForValue(await read(), milli(value), input);
      return { replicas, name: `${kind} metric ${metric.name}`, status: status({ value: formatMilli(usage) }) };
    });
  }
  if (target?.type === 'AverageValue' && target.averageValue !== undefined) {
    const { averageValue } = target;
    return failing(reason, `${outer}: failed to get ${metric.name} object metric`, async () => {
      const { replicas, usage } = replicasForShare(await read(), milli(averageValue), input.statusReplicas);
      return { replicas, name: metricText(metric), status: status({ averageValue: formatMilli(usage) }) };
    });
  }
  return failing(reason, outer, () => {
    throw new Error('invalid object metric source: neither a value target nor an average value target was set');
  });
}

async function computeExternal(source: autoscalingv2.ExternalMetricSource | undefined, input: MetricInput): Promise<MetricProposal> {
  const { metric = { name: '' }, target } = source ?? {};
  const [reason, outer] = ['FailedGetExternalMetric', `failed to get ${metric.name} external metric value`];
  const { value, averageValue } = target ?? {};
  const read = async (): Promise<number> => {
    const identifier = `${input.namespace}/${metric.name}/${formatSelector(metric.selector)}`;
    const values = await wrapped(`unable to get external metric ${identifier}`, input.metrics.external(metric, input.namespace));
    return values.reduce((total, one) => total + one, 0);
  };
  const status = (current: autoscalingv2.MetricValueStatus): autoscalingv2.MetricStatus => ({
    type: 'External',
    external: { metric, current },
  });
  if (averageValue !== undefined) {
    return failing(reason, `${outer}: failed to get ${metric.name} external metric`, async () => {
      const { replicas, usage } = replicasForShare(await read(), milli(averageValue), input.statusReplicas);
      return { replicas, name: metricText(metric), status: status({ averageValue: formatMilli(usage) }) };
    });
  }
  if (value !== undefined) {
    return failing(reason, `${outer}: failed to get external metric ${metric.name}`, async () => {
      const { replicas, usage } = replicasForValue(await read(), milli(value), input);
      return { replicas, name: metricText(metric), status: status({ value: formatMilli(usage) }) };
    });
  }
  return failing(reason, outer, () => {
    throw new Error('invalid external metric source: neither a value target nor an average value target was set');
  });
}

async function failing(reason: string, outer: string, compute: () => Promise<MetricProposal>): Promise<MetricProposal> {
  try {
    return await compute();
  } catch (error) {
    throw new MetricError(reason, errorMessage(error), `${outer}: ${errorMessage(error)}`);
  }
}

async function wrapped<T>(prefix: string, value: Promise<T>): Promise<T> {
  try {
    return await value;
  } catch (error) {
    throw new Error(`${prefix}: ${errorMessage(error)}`);
  }
}

function metricText({ name, selector }: autoscalingv2.MetricIdentifier): string {
  return `external metric ${name}(${formatSelector(selector)})`;
}

/** Thousandths as a quantity. */
function formatMilli(value: number, format: 'DecimalSI' | 'BinarySI' = 'DecimalSI'): string {
  return canonicalQuantity({ unscaled: BigInt(value), exponent: -3, format, text: undefined, wide: false });
}

/** Bytes are written with binary suffixes. */
function formatUsage(resource: string, value: number): string {
  return formatMilli(value, resource === 'memory' ? 'BinarySI' : 'DecimalSI');
}
