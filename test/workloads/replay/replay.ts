import type { Json } from '../../../src/meta/index.ts';
import { createPathOf } from './create-path.ts';
import { sortedJson } from './json.ts';
import { createKubeletByHand } from './kubelet-by-hand.ts';
import { NormalForm } from './normal-form.ts';
import { Observer } from './observer.ts';
import type { RecordedObject, Recording, Scenario } from './scenario.ts';
import { setStage } from './stage.ts';
import { runStep, type StepContext } from './steps.ts';
import { fill, type Variables } from './variables.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** Runs the steps of a scenario in a new cluster, and returns the resulting objects and events. */
export async function replay(scenario: Scenario, cluster: VirtualCluster): Promise<Recording> {
  const namespace = 'life-bcdfghj';
  const variables: Variables = new Map([
    ['ns', namespace],
    ['run', 'rkqzvwx'],
  ]);
  const nodes = scenario.keepNodes ? [] : (scenario.nodes ?? []).map(({ name }) => name);
  const normal = new NormalForm(sortedJson({ steps: scenario.steps, nodes: scenario.nodes }), variables, nodes);
  const observer = new Observer(cluster, scenario, namespace, normal);
  const dumps: Record<string, readonly RecordedObject[]> = {};
  const filled = <T>(value: T): T => fill(value, variables, cluster.nowMs());
  const context: StepContext = {
    cluster,
    namespace,
    normal,
    observer,
    variables,
    filled,
    pathOf: createPathOf(cluster, scenario, namespace),
    statusOf: createKubeletByHand(cluster.nowMs),
    dump: async (label) => {
      dumps[label] = await observer.objects(scenario.also ?? [], filled);
    },
  };
  await setStage(cluster, scenario, namespace, context.pathOf);
  await observer.start();
  const steps: Json[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    try {
      steps.push(await runStep(step, context));
    } catch (error) {
      throw new Error(`step ${index + 1}${step.note === undefined ? '' : ` (${step.note})`}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  await observer.untilQuiet();
  const final = await observer.objects(scenario.also ?? [], filled);
  return { steps, final, events: await observer.events(), dumps };
}
