import type { ApiClient } from '../../client/index.ts';
import {
  formatLabelSelector,
  type JsonObject,
  objectsAt,
  parseDuration,
  parseQuantity,
  quantityInteger,
  recordAt,
  textAt,
} from '../../meta/index.ts';
import type { autoscalingv2, metav1, metricsv1beta1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { apiErrorText } from './api-error-text.ts';
import { discoverKind, groupOf, qualifiedName, versionsOf } from './discover-kind.ts';

/** A value of a pod, in thousandths. */
export interface PodMetric {
  readonly atMs: number;
  /** The time over which it was measured. */
  readonly windowMs: number;
  readonly value: number;
}

/** By pod name. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

const defaultWindowMs = 60_000;

export interface MetricsClientOptions {
  readonly client: ApiClient;
  readonly product: { rename(text: string): string };
}

/** Reads metrics from the metrics APIs, where they are served. Cf. pkg/controller/podautoscaler/metrics/client.go. */
export class MetricsClient {
  readonly #client: ApiClient;
  readonly #resourceGroup: string;
  readonly #customGroup: string;
  readonly #externalGroup: string;

  constructor({ client, product }: MetricsClientOptions) {
    this.#client = client;
    this.#resourceGroup = product.rename('metrics.k8s.io');
    this.#customGroup = product.rename('custom.metrics.k8s.io');
    this.#externalGroup = product.rename('external.metrics.k8s.io');
  }

  /** Usage of a resource by the selected pods, or by one of their containers. */
  async resource(resource: string, namespace: string, selector: string, container: string): Promise<PodMetrics> {
    const path = `/apis/${this.#resourceGroup}/v1beta1/namespaces/${namespace}/pods`;
    const items: readonly Decoded<metricsv1beta1.PodMetrics>[] = await this.#list('resource', path, `pods.${this.#resourceGroup}`, {
      labelSelector: selector,
    });
    const metrics = new Map<string, PodMetric>();
    for (const item of items) {
      const value = usageOf(item, resource, container);
      if (value === undefined) continue;
      metrics.set(item.metadata?.name ?? '', {
        atMs: Date.parse(item.timestamp ?? ''),
        windowMs: Number(parseDuration(item.window || '0')) / 1e6,
        value,
      });
    }
    return metrics;
  }

  /** A custom metric of the selected pods. */
  async pods(metric: autoscalingv2.MetricIdentifier, namespace: string, selector: string): Promise<PodMetrics> {
    const path = `${await this.#customRoot()}/namespaces/${namespace}/pods/*/${metric.name}`;
    const query = { labelSelector: selector, metricLabelSelector: formatSelector(metric.selector) };
    const items = await this.#list('custom', path, `pods.${this.#customGroup}`, query);
    return new Map(
      items.map((item) => {
        const seconds = item['windowSeconds'];
        const windowMs = typeof seconds === 'number' ? seconds * 1000 : defaultWindowMs;
        const metricOfPod = { atMs: Date.parse(textAt(item, 'timestamp')), windowMs, value: milli(textAt(item, 'value')) };
        return [textAt(recordAt(item, 'describedObject'), 'name'), metricOfPod];
      }),
    );
  }

  /** A custom metric of one object. */
  async object(
    metric: autoscalingv2.MetricIdentifier,
    namespace: string,
    { apiVersion = '', kind, name }: autoscalingv2.CrossVersionObjectReference,
  ): Promise<number> {
    const root = await this.#customRoot();
    const group = groupOf(apiVersion);
    const isNamespace = group === '' && kind === 'Namespace';
    const [found] = isNamespace ? [] : await this.#inApi('custom', this.#customGroup, discoverKind(this.#client, group, kind));
    const resource = found ? qualifiedName(found) : 'namespaces';
    const path = isNamespace
      ? `${root}/namespaces/${namespace}/metrics/${metric.name}`
      : `${root}/namespaces/${namespace}/${resource}/${name}/${metric.name}`;
    const query = { metricLabelSelector: formatSelector(metric.selector) };
    const [item] = await this.#list('custom', path, `${resource}.${this.#customGroup}`, query);
    return milli(textAt(item ?? {}, 'value'));
  }

  /** The values of an external metric. */
  async external(metric: autoscalingv2.MetricIdentifier, namespace: string): Promise<readonly number[]> {
    const [version = 'v1beta1'] = await versionsOf(this.#client, this.#externalGroup);
    const path = `/apis/${this.#externalGroup}/${version}/namespaces/${namespace}/${metric.name}`;
    const query = { labelSelector: formatSelector(metric.selector) };
    const items = await this.#list('external', path, `${metric.name}.${this.#externalGroup}`, query);
    return items.map((item) => milli(textAt(item, 'value')));
  }

  async #customRoot(): Promise<string> {
    const [version] = await this.#inApi('custom', this.#customGroup, versionsOf(this.#client, this.#customGroup));
    if (version !== undefined) return `/apis/${this.#customGroup}/${version}`;
    throw new Error(`unable to fetch metrics from custom metrics API: no custom metrics API (${this.#customGroup}) registered`);
  }

  async #list(api: string, path: string, resource: string, query: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> {
    const given = Object.entries(query).filter(([, value]) => value !== '');
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    const items = objectsAt(await this.#inApi(api, resource, this.#client.send('GET', path + search)), 'items');
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }

  async #inApi<T>(api: string, resource: string, response: Promise<T>): Promise<T> {
    try {
      return await response;
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${apiErrorText(error, resource)}`);
    }
  }
}

/** In thousandths; undefined when a container, or the named one, has no value. */
function usageOf({ containers }: Decoded<metricsv1beta1.PodMetrics>, resource: string, container: string): number | undefined {
  const all = containers ?? [];
  const counted = container === '' ? all : all.filter(({ name }) => name === container).slice(0, 1);
  const usages = counted.map(({ usage }) => usage?.[resource] ?? '');
  if (usages.length === 0 || usages.includes('')) return undefined;
  return usages.reduce((sum, usage) => sum + milli(usage), 0);
}

/** Rounded up to thousandths. Cf. Quantity.MilliValue. */
export function milli(quantity: string): number {
  return Number(quantityInteger(parseQuantity(quantity), -3));
}

function formatSelector(selector: metav1.LabelSelector | undefined): string {
  return formatLabelSelector(selector, '');
}
