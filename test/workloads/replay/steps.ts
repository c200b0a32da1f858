import type { Json, JsonObject } from '../../../src/meta/index.ts';
import { firstUnmet } from './conditions.ts';
import { byText, objectsAt, textAt, valueAt } from './json.ts';
import { fitsAll, pointer } from './matchers.ts';
import type { NormalForm } from './normal-form.ts';
import type { Observer } from './observer.ts';
import type { KubeJson, PodChoice, Step } from './scenario.ts';
import type { Variables } from './variables.ts';
import type { Answer, VirtualCluster } from './virtual-cluster.ts';

export interface StepContext {
  readonly cluster: VirtualCluster;
  readonly namespace: string;
  readonly normal: NormalForm;
  readonly observer: Observer;
  readonly variables: Variables;
  filled<T>(value: T): T;
  /** The path where an object is created. */
  pathOf(object: KubeJson): Promise<string>;
  /** The status that a kubelet would write. */
  statusOf(play: string, pod: KubeJson): JsonObject;
  dump(label: string): Promise<void>;
}

/** The time that a request of the recording client took, in which controllers react. */
const requestMs = 10;

/** Time between two requests of a condition. */
const pollMs = 50;

const strategicMergePatch = 'application/strategic-merge-patch+json';

/** Runs a step and returns its compared result. */
export async function runStep(step: Step, context: StepContext): Promise<Json> {
  const { cluster, observer } = context;
  if (step.wait !== undefined) {
    await cluster.advance(step.wait);
    return { waited: step.wait };
  }
  if (step.create) return create(step, context);
  if (step.do) return send(step, context);
  if (step.pods) return { pods: await writePods(step, context) };
  if (step.until) return until(step, context);
  if (step.dump !== undefined) {
    await observer.untilQuiet(step.within);
    await context.dump(step.dump);
    return { looked: step.dump };
  }
  if (!step.quiet) throw new Error('an unknown step');
  await observer.untilQuiet(step.quiet === true ? undefined : step.quiet);
  return {};
}

async function create(step: Step, context: StepContext): Promise<Json> {
  const { cluster, filled, normal, observer } = context;
  const results: Json[] = [];
  for (const given of [step.create ?? []].flat() as readonly KubeJson[]) {
    const object = filled(given);
    const path = await context.pathOf(object);
    const answer = await cluster.call({ method: 'POST', path, json: object });
    await cluster.advance(requestMs);
    if (answer.status < 300) {
      const created = answer.body as KubeJson;
      normal.learn({ ...created, kind: object.kind });
      if (created.metadata.namespace === undefined) observer.onCreated(`${path}/${created.metadata.name}`);
    }
    results.push(resultOf(answer, step, context));
    save(answer, step, context);
  }
  return results.length === 1 ? (results[0] ?? null) : results;
}

async function send(step: Step, context: StepContext): Promise<Json> {
  const { method = 'GET', headers, json, ...request } = context.filled(step.do ?? { path: '' });
  const patchType = Array.isArray(json) ? 'application/json-patch+json' : strategicMergePatch;
  const type = method === 'PATCH' ? { 'content-type': patchType } : {};
  const answer = await context.cluster.call({
    ...request,
    method,
    headers: { ...type, ...headers },
    ...(json === undefined ? {} : { json }),
  });
  await context.cluster.advance(requestMs);
  const name = textAt(answer.body, 'metadata', 'name');
  const isClusterScoped = !/\/namespaces\/[^/]+\/|:/.test(request.path);
  if (method === 'POST' && answer.status === 201 && name !== '' && isClusterScoped) context.observer.onCreated(`${request.path}/${name}`);
  save(answer, step, context);
  return resultOf(answer, step, context);
}

function save({ body }: Answer, { save: pointers = {} }: Step, { variables }: StepContext): void {
  for (const [name, path] of Object.entries(pointers)) variables.set(name, String(pointer(body, path)));
}

function resultOf({ status, header, body }: Answer, { show }: Step, { filled, normal }: StepContext): Json {
  const result: Record<string, Json> = { status };
  if (status >= 400) {
    result['reason'] = valueAt(body, 'reason') ?? null;
    result['message'] = normal.text(textAt(body, 'message'));
    const causes = valueAt(body, 'details', 'causes');
    if (causes) result['causes'] = normal.value(causes);
    const retryAfter = header('retry-after');
    if (retryAfter !== undefined) result['retryAfter'] = retryAfter;
  }
  const warning = header('warning');
  if (warning !== undefined) result['warning'] = normal.text(warning);
  const shown = show?.map((path) => [path, normal.value(pointer(body, filled(path)) ?? '<absent>', path.split('/').pop())]);
  return shown ? { ...result, shown: Object.fromEntries(shown) } : result;
}

async function until({ until: conditions = [], within = 20_000 }: Step, { cluster, filled }: StepContext): Promise<Json> {
  const endMs = cluster.nowMs() + within;
  for (;;) {
    const problem = await firstUnmet(filled(conditions), cluster);
    if (problem === undefined) return { reached: true };
    if (cluster.nowMs() >= endMs) throw new Error(`not reached in ${within} ms: ${problem}`);
    await cluster.advance(pollMs);
  }
}

/** Writes the status of pods, or deletes them for `gone`, and returns their number. */
async function writePods(step: Step, context: StepContext): Promise<number> {
  const { cluster, namespace } = context;
  const pods = await choosePods(step, context);
  for (const pod of pods) {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}`;
    if (step.play === 'gone') await cluster.call({ method: 'DELETE', path, query: { gracePeriodSeconds: '0' } });
    else {
      const { play = '' } = step;
      const json = { status: context.filled(typeof play === 'string' ? context.statusOf(play, pod) : play) };
      const headers = { 'content-type': strategicMergePatch };
      const { status, body } = await cluster.call({ method: 'PATCH', path: `${path}/status`, headers, json });
      if (status >= 300) throw new Error(`${status} ${textAt(body, 'message')}`);
    }
    await cluster.advance(requestMs);
  }
  return pods.length;
}

/** The chosen pods, oldest first; waits until there are enough. */
async function choosePods({ pods: given, play, within = 20_000 }: Step, context: StepContext): Promise<readonly KubeJson[]> {
  const { cluster, namespace } = context;
  const choice: PodChoice = context.filled(given ?? {});
  const { labelSelector, fieldSelector, count = 1 } = choice;
  const query = new URLSearchParams({ ...(labelSelector ? { labelSelector } : {}), ...(fieldSelector ? { fieldSelector } : {}) });
  const endMs = cluster.nowMs() + within;
  for (;;) {
    const list = await cluster.get(`/api/v1/namespaces/${namespace}/pods?${query}`);
    const pods = (objectsAt(list, 'items') as readonly KubeJson[]).filter((pod) => isChosen(pod, choice, play === 'gone'));
    if (pods.length >= count)
      return pods.toSorted(byText(({ metadata }) => `${metadata.creationTimestamp}${metadata.name}`)).slice(0, choice.count);
    if (cluster.nowMs() >= endMs) throw new Error(`only ${pods.length} pods for ${JSON.stringify(choice)}`);
    await cluster.advance(pollMs);
  }
}

function isChosen(pod: KubeJson, { name = '', where }: PodChoice, withDeleted: boolean): boolean {
  const isNamed = name === '' || pod.metadata.name === name || new RegExp(`^${name}$`).test(pod.metadata.name);
  return isNamed && (withDeleted || pod.metadata.deletionTimestamp === undefined) && fitsAll(pod, where);
}
