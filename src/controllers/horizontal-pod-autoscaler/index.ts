/** Scales workloads by metrics. */

import { cacheKeyOf } from '../../client/index.ts';
import { type LabelRequirements, matchesLabels, parseLabelSelector } from '../../meta/index.ts';
import { type autoscalingv2, autoscalingv2HorizontalPodAutoscalers, type corev1, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { startWorkers } from '../start-workers.ts';
import type { MetricsClient } from './metrics-client.ts';
import { ScalingHistory } from './scaling-history.ts';

/** Upstream --horizontal-pod-autoscaler-sync-period. */
const periodMs = 15_000;

/** Reconciles each autoscaler every 15 s. Cf. pkg/controller/podautoscaler. */
export const horizontalPodAutoscalers: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const autoscalers = informers.informer(autoscalingv2HorizontalPodAutoscalers);
  const pods = informers.informer(corev1Pods);
  const podsIn = namespaceLister(pods.store);
  const recorder = createEventRecorder(context, 'horizontal-pod-autoscaler');
  let metrics: MetricsClient | undefined;
  const histories = new Map<string, ScalingHistory>();
  /** The selectors of the targets by the keys of their autoscalers. */
  const selectors = new Map<string, LabelRequirements>();

  const podsOf = (namespace: string, selector: string): readonly corev1.Pod[] => {
    const requirements = parseLabelSelector(selector);
    return podsIn(namespace).filter(({ metadata }) => matchesLabels(requirements, metadata.labels ?? {}));
  };
  const autoscalersOf = (key: string, selected: readonly corev1.Pod[], selector: string): readonly string[] => {
    selectors.set(key, parseLabelSelector(selector));
    const namespace = key.slice(0, key.indexOf('/'));
    const scaling = [...selectors].filter(
      ([other, requirements]) =>
        other.startsWith(`${namespace}/`) && selected.some(({ metadata }) => matchesLabels(requirements, metadata.labels ?? {})),
    );
    return scaling.map(([other]) => `{${other.slice(namespace.length + 1)} ${namespace}}`);
  };

  const reconcile = async (key: string): Promise<void> => {
    const autoscaler = autoscalers.store.get(key);
    if (!autoscaler) {
      histories.delete(key);
      selectors.delete(key);
      return;
    }
    const { AutoscalerSync, MetricsClient } = await clock.hostWork(import('./reconciliation.ts'));
    metrics ??= new MetricsClient({ client, product });
    const history = histories.get(key) ?? new ScalingHistory();
    histories.set(key, history);
    const namespace = autoscaler.metadata.namespace ?? '';
    const sync = new AutoscalerSync(autoscaler, {
      client,
      history,
      metrics,
      nowMs: clock.nowMs(),
      podsOf: (selector) => podsOf(namespace, selector),
      recorder,
      autoscalersOf: (selected, selector) => autoscalersOf(key, selected, selector),
    });
    await sync.run();
    queue.addAfter(key, periodMs);
  };
  const rateLimiter = { when: () => periodMs, forget: () => undefined, retries: () => 1 };
  const name = 'horizontal-pod-autoscaler-controller';
  const queue = startWorkers({ name, informers: [autoscalers, pods], reconcile, rateLimiter }, context);
  const enqueue = (autoscaler: autoscalingv2.HorizontalPodAutoscaler): void => queue.addAfter(cacheKeyOf(autoscaler), periodMs);
  const forget = (autoscaler: autoscalingv2.HorizontalPodAutoscaler): void => void selectors.delete(cacheKeyOf(autoscaler));
  autoscalers.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: forget });
};
