import { cacheKeyOf, InformerFactory } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import { type Product, sameJson } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps, corev1Secrets } from '../../schema/api/index.ts';
import { parseImageReference } from '../images/image-reference.ts';
import type { NodeContext } from '../node-context.ts';
import type { OwnNode } from '../own/own-node.ts';
import { containersOf, type PodState } from '../pods/pod-state.ts';
import type { ContainerRuntime, PodSandbox } from './container-runtime.ts';
import { objectsOf } from './referenced-objects.ts';

interface KnownSandbox {
  readonly sandbox: PodSandbox;
  pod: corev1.Pod;
  /** What volumes show may have changed. */
  isStale: boolean;
}

/** The sandbox of a pod, and why its volumes cannot be mounted. */
export interface PreparedSandbox {
  readonly sandbox: PodSandbox;
  readonly mountErrors: readonly string[];
}

/** How a pod is reconciled again, and ended. */
export interface SandboxActions {
  wake(pod: corev1.Pod): void;
  evict(pod: corev1.Pod, message: string): void;
}

/** Creates the sandboxes of the pods of all nodes. */
export type CreateSandboxes = (context: NodeContext, actions: SandboxActions) => PodSandboxes;

/** Loads the runtime of emulated containers. */
type LoadRuntime = (options: Env & { readonly product: Product }) => Promise<ContainerRuntime>;

/** The sandboxes of a runtime, which is loaded for the first pod. Hosts without emulated containers need none of this code. */
export const createSandboxes =
  (load: LoadRuntime): CreateSandboxes =>
  (context, actions) =>
    new PodSandboxes(context, actions, load);

/** The sandboxes of pods with emulated containers, by the key of the pod. */
export class PodSandboxes {
  readonly #context: NodeContext;
  readonly #actions: SandboxActions;
  readonly #load: LoadRuntime;
  readonly #known = new Map<string, KnownSandbox>();
  #runtime: Promise<ContainerRuntime> | undefined;

  constructor(context: NodeContext, actions: SandboxActions, load: LoadRuntime) {
    this.#context = context;
    this.#actions = actions;
    this.#load = load;
  }

  of(key: string): PodSandbox | undefined {
    return this.#known.get(key)?.sandbox;
  }

  /** The sandbox of a pod, up to date for a step at `nowMs`; undefined: no image of the pod is emulated. */
  async prepare(key: string, pod: corev1.Pod, node: OwnNode, state: PodState, nowMs: number): Promise<PreparedSandbox | undefined> {
    if (state.isRejected) return undefined;
    const known = this.#known.get(key) ?? (await this.#create(key, pod, node, state));
    if (!known) return undefined;
    if (!showsSame(known.pod, pod)) known.isStale = true;
    known.pod = pod;
    const isEnding = state.isFinished || pod.metadata.deletionTimestamp !== undefined;
    if (isEnding || !(known.isStale || readsObjects(state, nowMs))) return { sandbox: known.sandbox, mountErrors: [] };
    known.isStale = false;
    return { sandbox: known.sandbox, mountErrors: await known.sandbox.prepare(pod) };
  }

  forget(key: string): void {
    this.#known.get(key)?.sandbox.dispose();
    this.#known.delete(key);
  }

  async #create(key: string, pod: corev1.Pod, node: OwnNode, { isFinished }: PodState): Promise<KnownSandbox | undefined> {
    // What has ended is not started again.
    if (isFinished) return undefined;
    if (!this.#runtime) {
      this.#runtime = this.#load(this.#context);
      this.#watchObjects();
    }
    const runtime = await this.#runtime;
    const isEmulated = containersOf(pod).some(([{ image = '' }]) => {
      const reference = parseImageReference(image);
      return reference !== undefined && runtime.hasImage(`${reference.host}/${reference.repository}`);
    });
    if (!isEmulated) return undefined;
    const known: KnownSandbox = {
      sandbox: runtime.createSandbox(pod, {
        client: this.#context.clients.of(node.name),
        nodeName: node.name,
        network: this.#context.network,
        hostIP: node.address,
        allocatable: () => this.#context.nodes.store.get(node.name)?.status.allocatable ?? {},
        wake: () => this.#actions.wake(known.pod),
        evict: (message) => this.#actions.evict(known.pod, message),
      }),
      pod,
      isStale: true,
    };
    this.#known.set(key, known);
    return known;
  }

  /** Pods whose volumes show an object are updated when it changes. */
  #watchObjects(): void {
    const { client, clock, signal } = this.#context;
    const informers = new InformerFactory(client, clock, signal);
    const changed =
      (kind: 'configmap' | 'secret') =>
      (object: corev1.ConfigMap | corev1.Secret): void => {
        const key = `${kind}/${cacheKeyOf(object)}`;
        for (const known of this.#known.values()) {
          if (!objectsOf(known.pod).has(key)) continue;
          known.isStale = true;
          this.#actions.wake(known.pod);
        }
      };
    for (const [kind, resource] of [
      ['configmap', corev1ConfigMaps],
      ['secret', corev1Secrets],
    ] as const) {
      const onChange = changed(kind);
      const informer = informers.informer<corev1.ConfigMap | corev1.Secret>(resource);
      informer.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
    }
  }
}

/** Whether a step may mount the volumes or start a container. */
const readsObjects = ({ mounts, sandboxMs = 0, pull, containers }: PodState, nowMs: number): boolean =>
  !mounts.isDone || (nowMs >= Math.max(sandboxMs, pull?.untilMs ?? 0) && containers.some(({ run }) => run?.live === undefined));

/** Whether fields that volumes show are the same. */
const showsSame = (a: corev1.Pod, b: corev1.Pod): boolean =>
  sameJson(a.metadata.labels, b.metadata.labels) &&
  sameJson(a.metadata.annotations, b.metadata.annotations) &&
  a.metadata.generation === b.metadata.generation;
