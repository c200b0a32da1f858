import type { ApiClient, EventRecorder } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { formatTime, sameJson } from '../../meta/index.ts';
import { type autoscalingv2, autoscalingv2HorizontalPodAutoscalers, type corev1 } from '../../schema/api/index.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { computeMetric, MetricError } from './compute-metric.ts';
import { discoverKind, groupOf } from './discover-kind.ts';
import type { MetricsClient } from './metrics-client.ts';
import { readScale, type Scale, scaleOf, writeScale } from './scale-target.ts';
import type { ScalingHistory } from './scaling-history.ts';
import { limitReplicas, limitReplicasByBehavior } from './scaling-limits.ts';

export interface AutoscalerSyncOptions {
  readonly client: ApiClient;
  readonly history: ScalingHistory;
  readonly metrics: MetricsClient;
  readonly nowMs: number;
  /** The pods of the namespace that a selector selects. */
  readonly podsOf: (selector: string) => readonly corev1.Pod[];
  readonly recorder: Pick<EventRecorder, 'event'>;
  /** `{name namespace}` of all autoscalers that scale one of the pods. */
  readonly autoscalersOf: (pods: readonly corev1.Pod[], selector: string) => readonly string[];
}

/** The desired number of replicas by all metrics. */
interface Recommended {
  readonly replicas: number;
  readonly metric: string;
}

/** One reconciliation of an autoscaler. Cf. pkg/controller/podautoscaler/horizontal.go reconcileAutoscaler. */
export class AutoscalerSync {
  readonly #autoscaler: autoscalingv2.HorizontalPodAutoscaler;
  readonly #options: AutoscalerSyncOptions;
  #status: autoscalingv2.HorizontalPodAutoscalerStatus;

  constructor(autoscaler: autoscalingv2.HorizontalPodAutoscaler, options: AutoscalerSyncOptions) {
    this.#autoscaler = autoscaler;
    this.#options = options;
    this.#status = autoscaler.status;
  }

  /** Failures are in conditions and events. @throws Error when the status cannot be written */
  async run(): Promise<void> {
    const scale = await this.#readScale();
    if (scale) await this.#reconcile(scale);
    if (!sameJson(withoutNulls(this.#status), withoutNulls(this.#autoscaler.status))) await this.#writeStatus();
  }

  async #readScale(): Promise<Scale | undefined> {
    const { metadata, spec } = this.#autoscaler;
    const { apiVersion = '', kind, name } = spec.scaleTargetRef;
    try {
      const resources = await discoverKind(this.#options.client, groupOf(apiVersion), kind);
      const scale = await readScale(this.#options.client, resources, { namespace: metadata.namespace ?? '', name });
      this.#setCondition('AbleToScale', 'True', 'SucceededGetScale', "the HPA controller was able to get the target's current scale");
      return scale;
    } catch (error) {
      const text = errorMessage(error);
      this.#options.recorder.event(this.#autoscaler, 'Warning', 'FailedGetScale', text);
      const message = `the HPA controller was unable to get the target's current scale: ${text}`;
      this.#setCondition('AbleToScale', 'False', 'FailedGetScale', message);
      return undefined;
    }
  }

  async #reconcile(scale: Scale): Promise<void> {
    const { spec } = this.#autoscaler;
    const { specReplicas: current } = scale;
    const { minReplicas = 1, maxReplicas } = spec;
    this.#options.history.recordInitial(current, this.#options.nowMs);
    if (current === 0 && minReplicas !== 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      this.#setCondition('ScalingActive', 'False', 'ScalingDisabled', message);
      this.#setReplicas(current, current, null);
    } else if (current > maxReplicas) {
      await this.#rescale(scale, maxReplicas, 'Current number of replicas above Spec.MaxReplicas', null);
    } else if (current < minReplicas) {
      await this.#rescale(scale, minReplicas, 'Current number of replicas below Spec.MinReplicas', null);
    } else await this.#scaleByMetrics(scale, minReplicas);
  }

  async #scaleByMetrics(scale: Scale, minReplicas: number): Promise<void> {
    const current = scale.specReplicas;
    const statuses: autoscalingv2.MetricStatus[] = [];
    let recommended: Recommended;
    try {
      recommended = await this.#recommend(scale, statuses);
    } catch (error) {
      this.#setReplicas(current, this.#status.desiredReplicas, statuses.length === 0 ? null : statuses);
      this.#options.recorder.event(this.#autoscaler, 'Warning', 'FailedComputeMetricsReplicas', errorMessage(error));
      return;
    }
    const wanted = Math.max(0, recommended.replicas);
    const desired = this.#normalize(current, wanted, minReplicas);
    const reason = wanted > current ? `${recommended.metric} above target` : wanted < current ? 'All metrics below target' : '';
    if (desired === current) this.#setReplicas(current, current, statuses);
    else await this.#rescale(scale, desired, reason, statuses);
  }

  /** The largest proposal; a metric that fails prevents scaling down. Cf. computeReplicasForMetrics. @throws Error */
  async #recommend(scale: Scale, statuses: autoscalingv2.MetricStatus[]): Promise<Recommended> {
    const { spec } = this.#autoscaler;
    const specs = spec.metrics ?? [];
    const input = this.#metricInput(scale);
    let best: Recommended = { replicas: 0, metric: '' };
    const failures: MetricError[] = [];
    for (const metric of specs) {
      try {
        const { replicas, name, status } = await computeMetric(metric, input);
        statuses.push(status);
        if (best.replicas === 0 || replicas > best.replicas) best = { replicas, metric: name };
      } catch (error) {
        if (!(error instanceof MetricError)) throw error;
        statuses.push({ type: '' });
        failures.push(error);
        this.#options.recorder.event(this.#autoscaler, 'Warning', error.reason, error.detail);
      }
    }
    const [failure] = failures;
    if (failures.length >= specs.length || (failures.length > 0 && best.replicas < scale.specReplicas)) {
      const { reason = '', detail = '' } = failure ?? {};
      this.#setCondition('ScalingActive', 'False', reason, `the HPA was unable to compute the replica count: ${detail}`);
      throw new Error(`invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${failure?.message}`);
    }
    const message = `the HPA was able to successfully calculate a replica count from ${best.metric}`;
    this.#setCondition('ScalingActive', 'True', 'ValidMetricFound', message);
    return best;
  }

  /** Cf. validateAndParseSelector. @throws Error for an unusable selector */
  #metricInput({ specReplicas, statusReplicas, selector }: Scale): Parameters<typeof computeMetric>[1] {
    const { metrics, nowMs } = this.#options;
    const fail = (reason: string, text: string, message = text, event = reason): never => {
      this.#options.recorder.event(this.#autoscaler, 'Warning', event, text);
      this.#setCondition('ScalingActive', 'False', reason, message);
      throw new Error(text);
    };
    if (selector === '') {
      fail('InvalidSelector', 'selector is required', "the HPA target's scale is missing a selector", 'SelectorRequired');
    }
    const pods = this.#selectPods(selector, fail);
    const autoscalers = this.#options.autoscalersOf(pods, selector);
    if (autoscalers.length > 1) {
      fail('AmbiguousSelector', `pods by selector ${selector} are controlled by multiple HPAs: [${autoscalers.join(' ')}]`);
    }
    const namespace = this.#autoscaler.metadata.namespace ?? '';
    return { metrics, namespace, selector, pods, nowMs, currentReplicas: specReplicas, statusReplicas };
  }

  #selectPods(selector: string, fail: (reason: string, text: string) => never): readonly corev1.Pod[] {
    try {
      return this.#options.podsOf(selector);
    } catch (error) {
      return fail('InvalidSelector', `couldn't convert selector into a corresponding internal selector object: ${errorMessage(error)}`);
    }
  }

  /** Applies stabilization and limits. Cf. normalizeDesiredReplicas and normalizeDesiredReplicasWithBehaviors. */
  #normalize(currentReplicas: number, wanted: number, minReplicas: number): number {
    const { behavior, maxReplicas } = this.#autoscaler.spec;
    const { history, nowMs } = this.#options;
    const stabilized = behavior ? history.stabilizeByBehavior(wanted, currentReplicas, behavior, nowMs) : history.stabilize(wanted, nowMs);
    if (stabilized.replicas !== wanted) this.#setCondition('AbleToScale', 'True', stabilized.reason, stabilized.message);
    else this.#setCondition('AbleToScale', 'True', 'ReadyForNewScale', 'recommended size matches current size');
    const input = { currentReplicas, desiredReplicas: stabilized.replicas, minReplicas, maxReplicas };
    const limited = behavior ? limitReplicasByBehavior(input, behavior, history.events, nowMs) : limitReplicas(input);
    this.#setCondition('ScalingLimited', limited.replicas === stabilized.replicas ? 'False' : 'True', limited.reason, limited.message);
    return limited.replicas;
  }

  async #rescale(scale: Scale, desired: number, reason: string, statuses: readonly autoscalingv2.MetricStatus[] | null): Promise<void> {
    const { history, nowMs, recorder } = this.#options;
    const current = scale.specReplicas;
    try {
      await this.#writeScale(scale, desired);
    } catch (error) {
      const text = errorMessage(error);
      recorder.event(this.#autoscaler, 'Warning', 'FailedRescale', `New size: ${desired}; reason: ${reason}; error: ${text}`);
      const message = `the HPA controller was unable to update the target scale: ${text}`;
      this.#setCondition('AbleToScale', 'False', 'FailedUpdateScale', message);
      this.#setReplicas(current, this.#status.desiredReplicas, statuses);
      return;
    }
    const message = `the HPA controller was able to update the target scale to ${desired}`;
    this.#setCondition('AbleToScale', 'True', 'SucceededRescale', message);
    recorder.event(this.#autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`);
    if (this.#autoscaler.spec.behavior) history.recordChange(desired - current, nowMs);
    this.#setReplicas(current, desired, statuses);
    this.#status = { ...this.#status, lastScaleTime: formatTime(nowMs) };
  }

  async #writeScale(scale: Scale, desired: number): Promise<void> {
    const { client } = this.#options;
    const read = async (): Promise<Scale> => scaleOf(scale.path, await client.send('GET', scale.path));
    await retryOnConflict(scale, (latest) => writeScale(client, latest, desired), read);
  }

  /** Other fields, such as observedGeneration, are removed. Cf. setStatus. */
  #setReplicas(currentReplicas: number, desiredReplicas: number, currentMetrics: readonly autoscalingv2.MetricStatus[] | null): void {
    const { conditions = [], lastScaleTime } = this.#status;
    const time = lastScaleTime === undefined ? {} : { lastScaleTime };
    this.#status = { currentReplicas, desiredReplicas, ...time, currentMetrics, conditions };
  }

  #setCondition(type: string, status: string, reason: string, message: string): void {
    const conditions = this.#status.conditions ?? [];
    const known = conditions.find((one) => one.type === type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : formatTime(this.#options.nowMs);
    const wanted = { type, status, lastTransitionTime, reason, message };
    this.#status = {
      ...this.#status,
      conditions: known ? conditions.map((one) => (one === known ? wanted : one)) : [...conditions, wanted],
    };
  }

  async #writeStatus(): Promise<void> {
    try {
      await this.#options.client
        .resource(autoscalingv2HorizontalPodAutoscalers)
        .updateStatus({ ...this.#autoscaler, status: this.#status });
    } catch (error) {
      this.#options.recorder.event(this.#autoscaler, 'Warning', 'FailedUpdateStatus', errorMessage(error));
      throw error;
    }
  }
}

/** Absent, null and zero values are the same for the server. */
function withoutNulls(status: autoscalingv2.HorizontalPodAutoscalerStatus): autoscalingv2.HorizontalPodAutoscalerStatus {
  const { conditions = [], currentMetrics, currentReplicas = 0 } = status;
  return { ...status, conditions, currentReplicas, currentMetrics: currentMetrics ?? [] };
}
