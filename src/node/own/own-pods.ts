import { cacheKeyOf } from '../../client/index.ts';
import { nodeStateOf, sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { PodTarget } from '../../streaming/index.ts';
import { type NodeContext, podsByNode } from '../node-context.ts';
import { patchPodStatus, removePod } from '../node-writes.ts';
import type { PodReconciler } from '../pod-reconciler.ts';
import { osLabelRejection, type Rejection, rejectionOf } from '../pods/admit.ts';
import { createPodState, type PodFailure, type PodState } from '../pods/pod-state.ts';
import { podStatus } from '../pods/pod-status.ts';
import { noReferences, type References, readReferences } from '../pods/references.ts';
import { type NodePod, othersBeforeResize, resizePod, withAllocated } from '../pods/resize.ts';
import { type PodEnvironment, Step } from '../pods/step.ts';
import { syncPod } from '../pods/sync-pod.ts';
import type { PodSandbox } from '../runtime/container-runtime.ts';
import type { KubeletPod } from '../runtime/kubelet.ts';
import type { PodSandboxes, PreparedSandbox } from '../runtime/pod-sandboxes.ts';
import { isMirrorPod, mirrorHashOf } from './mirror-pods.ts';
import type { OwnNode } from './own-node.ts';
import type { OwnNodes } from './own-nodes.ts';
import { pressureRejection } from './rank-pods.ts';

interface KnownPod {
  readonly state: PodState;
  /** The UID of the pod in the API. */
  uid: string;
  /** The newest status; its conditions have the times of their transitions. */
  reported: Partial<corev1.PodStatus> | undefined;
  /** The status that was written last. */
  written: Partial<corev1.PodStatus> | undefined;
  /** The version of the pod with that status. The cache may have an earlier one. */
  writtenVersion: bigint;
  /** A resize is completed, and the cache does not have its status yet. */
  isResized: boolean;
}

/** Runs the pods of nodes with kubelets. Cf. pkg/kubelet pod_workers. */
export class OwnPods implements PodReconciler {
  readonly #context: NodeContext;
  readonly #nodes: OwnNodes;
  readonly #wake: (key: string, ms: number) => void;
  /** Undefined: no container is emulated. */
  readonly #sandboxes: PodSandboxes | undefined;
  /** By UID; mirror pods by their node and the hash of their manifest, so that a deleted one is created again without a restart. */
  readonly #known = new Map<string, KnownPod>();
  /** The nodes of pods with a deferred resize, by their keys in the cache. */
  readonly #deferredResizes = new Map<string, string>();

  /** `wake` reconciles a pod again after a delay. */
  constructor(context: NodeContext, nodes: OwnNodes, wake: (key: string, ms: number) => void) {
    this.#context = context;
    this.#nodes = nodes;
    this.#wake = wake;
    this.#sandboxes = context.createSandboxes?.(context, {
      wake: (pod) => wake(cacheKeyOf(pod), 0),
      evict: (pod, message) => this.evict(pod, { message }),
    });
  }

  async reconcile(pod: corev1.Pod): Promise<void> {
    const node = this.#nodes.byName.get(pod.spec.nodeName ?? '');
    if (!node) return;
    const { clock, clients, product } = this.#context;
    // The static pod continues.
    if (isMirrorPod(pod, product) && pod.metadata.deletionTimestamp !== undefined) return this.#remove(pod);
    const known = this.#knownPod(pod, node);
    const references = needsReferences(pod, known.state) ? await readReferences(pod, clients.of(node.name)) : noReferences;
    // The step is at the time for which the sandbox is prepared.
    const nowMs = clock.nowMs();
    const prepared = await this.#sandboxes?.prepare(this.#keyOf(pod), pod, node, known.state, nowMs);
    const step = new Step(pod, nowMs, this.#environment(pod, node, withMountErrors(references, prepared), prepared?.sandbox));
    this.#resize(pod, known, node, step);
    syncPod(known.state, step);
    for (const { type, reason, message, fieldPath } of step.events) node.recorder.event(pod, type, reason, message, fieldPath);
    await this.#report(pod, known, node, nowMs);
    if (known.state.isFinished && pod.metadata.deletionTimestamp !== undefined) await this.#remove(pod);
    else if (Number.isFinite(step.wakeMs)) this.#wake(cacheKeyOf(pod), step.wakeMs - nowMs);
  }

  /** A pod of a node, for its kubelet. */
  find({ name: node }: Pick<OwnNode, 'name'>, { namespace, name }: PodTarget): KubeletPod | undefined {
    const pod = this.#context.pods.store.get(`${namespace}/${name}`);
    const state = pod?.spec.nodeName === node ? this.#stateOf(pod) : undefined;
    return pod && state && { pod, state, sandbox: this.#sandboxes?.of(this.#keyOf(pod)) };
  }

  /** The pods of a node that hold resources. */
  activePods(node: Pick<OwnNode, 'name'>): readonly corev1.Pod[] {
    return this.#activePods(node, '');
  }

  /** The pods of a node whose containers have not all ended. */
  livingPods({ name }: Pick<OwnNode, 'name'>): readonly corev1.Pod[] {
    return this.#context.pods.store.byIndex(podsByNode, name).filter((pod) => {
      const state = this.#stateOf(pod);
      return state !== undefined && !state.isFinished && !state.isRejected;
    });
  }

  /** Cf. pkg/kubelet/eviction managerImpl.evictPod, immediateEvictionGracePeriodSeconds. */
  evict(pod: corev1.Pod, eviction: Pick<PodFailure, 'message' | 'isDisruption'>, annotations: Readonly<Record<string, string>> = {}): void {
    const isEvicted = this.fail(pod, { reason: 'Evicted', graceSeconds: 1, ...eviction });
    const recorder = isEvicted ? this.#nodes.byName.get(pod.spec.nodeName ?? '')?.recorder : undefined;
    recorder?.annotatedEvent(pod, annotations, 'Warning', 'Evicted', eviction.message);
  }

  /** Ends a pod on behalf of its node; returns whether it was not ending already. */
  fail(pod: corev1.Pod, failure: PodFailure): boolean {
    const state = this.#stateOf(pod);
    if (!state || state.failure || state.isFinished) return false;
    state.failure = failure;
    this.#wake(cacheKeyOf(pod), 0);
    return true;
  }

  /** The containers of a node have ended with it, and their sandboxes. */
  loseContainers({ name }: OwnNode): void {
    const { clock, pods } = this.#context;
    const lost = { atMs: clock.nowMs(), code: 255, reason: 'Unknown' };
    for (const pod of pods.store.byIndex(podsByNode, name)) {
      const state = this.#stateOf(pod);
      if (state) state.isSandboxLost = true;
      for (const { run } of state?.containers ?? []) if (run) run.killed = lost;
      this.#wake(cacheKeyOf(pod), 0);
    }
  }

  forget(pod: corev1.Pod): void {
    const { uid = '' } = pod.metadata;
    const known = this.#known.get(this.#keyOf(pod));
    const { product, staticPods } = this.#context;
    const continues = isMirrorPod(pod, product) && staticPods?.isWanted(pod, this.#context) === true;
    if (known?.uid === uid && !continues) this.#known.delete(this.#keyOf(pod));
    if (continues) return;
    if (known?.uid === uid) this.#sandboxes?.forget(this.#keyOf(pod));
    this.#nodes.byName.get(pod.spec.nodeName ?? '')?.addresses.release(uid);
    this.#deferredResizes.delete(cacheKeyOf(pod));
    this.#retryResizes(pod.spec.nodeName);
  }

  /** Resizes a pod, and tries deferred resizes again when requests have become smaller. Cf. pkg/kubelet HandlePodReconcile. */
  #resize(pod: corev1.Pod, known: KnownPod, node: OwnNode, step: Step): void {
    const { state } = known;
    const object = this.#context.nodes.store.get(node.name);
    if (known.isResized && versionOf(pod) >= known.writtenVersion) {
      known.isResized = false;
      this.#retryResizes(node.name);
    }
    const wasResizing = state.resizing !== undefined;
    const others = (): readonly NodePod[] => this.#podsOnNode(node).filter((other) => other.state !== state);
    resizePod(state, object, () => (object ? othersBeforeResize({ pod, state }, others(), object) : []), step);
    known.isResized ||= wasResizing && state.resizing === undefined;
    const key = cacheKeyOf(pod);
    if (state.resize?.reason === 'Deferred') this.#deferredResizes.set(key, node.name);
    else this.#deferredResizes.delete(key);
  }

  #retryResizes(nodeName: string | undefined): void {
    for (const [key, node] of this.#deferredResizes) if (node === nodeName) this.#wake(key, 0);
  }

  #keyOf(pod: corev1.Pod): string {
    const digest = mirrorHashOf(pod, this.#context.product);
    return digest === undefined ? (pod.metadata.uid ?? '') : `${pod.spec.nodeName}/${digest}`;
  }

  #stateOf(pod: corev1.Pod): PodState | undefined {
    return this.#known.get(this.#keyOf(pod))?.state;
  }

  #knownPod(pod: corev1.Pod, node: OwnNode): KnownPod {
    const { uid = '' } = pod.metadata;
    const known = this.#known.get(this.#keyOf(pod));
    if (known) {
      if (known.uid !== uid) Object.assign(known, { uid, reported: undefined, written: undefined, writtenVersion: 0n });
      return known;
    }
    const state = createPodState(pod, this.#context.clock.nowMs());
    const created: KnownPod = { state, uid, reported: undefined, written: undefined, writtenVersion: 0n, isResized: false };
    this.#known.set(this.#keyOf(pod), created);
    if (created.state.podIP !== '' && !pod.spec.hostNetwork) node.addresses.reserve(uid, created.state.podIP);
    const isNew = !pod.status.startTime && pod.metadata.deletionTimestamp === undefined;
    const rejection = isNew ? this.#rejectionOf(pod, node) : undefined;
    if (rejection) {
      created.state.failure = { reason: rejection.reason, message: `Pod was rejected: ${rejection.message}` };
      created.state.isRejected = true;
      node.recorder.event(pod, 'Warning', rejection.reason, rejection.message);
    }
    return created;
  }

  #rejectionOf(pod: corev1.Pod, node: OwnNode): Rejection | undefined {
    const { clock, nodes, product } = this.#context;
    const object = nodes.store.get(node.name);
    if (nodeStateOf(object) !== 'running') return { reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' };
    return (
      pressureRejection(pod, node.pressure.at(clock.nowMs()), product) ??
      osLabelRejection(pod, product) ??
      rejectionOf(pod, object, this.#activePods(node, pod.metadata.uid ?? ''))
    );
  }

  /** The pods of a node that hold resources, but not this one. */
  #activePods(node: Pick<OwnNode, 'name'>, uid: string): readonly corev1.Pod[] {
    return this.#podsOnNode(node).flatMap(({ pod, state }) => (pod.metadata.uid === uid ? [] : [withAllocated(pod, state)]));
  }

  /** The pods of a node that hold resources. */
  #podsOnNode({ name }: Pick<OwnNode, 'name'>): readonly NodePod[] {
    return this.#context.pods.store.byIndex(podsByNode, name).flatMap((pod) => {
      const state = this.#stateOf(pod);
      return state && !state.isFinished && !state.failure ? [{ pod, state }] : [];
    });
  }

  #environment(pod: corev1.Pod, node: OwnNode, references: References, sandbox: PodSandbox | undefined): PodEnvironment {
    const { isPullable, random } = this.#context;
    const { uid = '' } = pod.metadata;
    return {
      wake: () => this.#wake(cacheKeyOf(pod), 0),
      start: (container, options) => (sandbox?.hasImage(options.repository) ? sandbox.start(container, options) : undefined),
      hostIP: node.address,
      runtimeHandlers: node.runtimeHandlers,
      allocateAddress: () => node.addresses.allocate(uid),
      recreateSandbox: () => {
        node.addresses.release(uid);
        sandbox?.recreate();
      },
      newId: () => `${random.uuid()}${random.uuid()}`.replaceAll('-', ''),
      hasImage: (full) => node.images.has(full),
      isPullable: (reference) => sandbox?.hasImage(`${reference.host}/${reference.repository}`) || (isPullable?.(reference) ?? true),
      addImage: (full, digest, sizeBytes) => {
        if (!node.images.has(full)) this.#nodes.reportSoon(node.name);
        node.images.add(full, digest, sizeBytes);
      },
      ...references,
    };
  }

  /** Writes the status when it has changed. Cf. pkg/kubelet/status syncPod. */
  async #report(pod: corev1.Pod, known: KnownPod, node: OwnNode, nowMs: number): Promise<void> {
    const status = podStatus(withReported(pod, known.reported), known.state, node.address, nowMs);
    // A write that failed, or whose response was lost, is repeated with the times of the first attempt.
    known.reported = status;
    const isOverwritten = known.written !== undefined && versionOf(pod) >= known.writtenVersion && !showsConditions(pod, known.written);
    if (sameJson(status, known.written) && !isOverwritten) return;
    const before = known.written?.conditions ?? pod.status.conditions;
    const written = await patchPodStatus(this.#context.clients, pod, patchOf(status, known.written?.podIP !== undefined, before));
    if (written) known.writtenVersion = versionOf(written);
    known.written = status;
  }

  async #remove(pod: corev1.Pod): Promise<void> {
    if (pod.metadata.deletionGracePeriodSeconds !== 0) await removePod(this.#context.clients, pod);
  }
}

/** Resource versions of one resource are comparable numbers. */
const versionOf = ({ metadata }: corev1.Pod): bigint => BigInt(metadata.resourceVersion ?? 0);

/**
 * Whether a pod has the conditions that its node reported: the node lifecycle controller and schedulers overwrite some.
 * Cf. pkg/kubelet/status needsReconcile.
 */
function showsConditions({ status }: corev1.Pod, { conditions: reported = [] }: Partial<corev1.PodStatus>): boolean {
  const shown = new Map((status.conditions ?? []).map((condition) => [condition.type, condition.status]));
  return reported.every((condition) => shown.get(condition.type) === condition.status);
}

/**
 * The patch of a status: conditions lose former reasons, and are in the order of the kubelet, not in that of their creation; addresses
 * replace those that a former process of the node reported, and are removed with the sandbox.
 */
function patchOf(status: Partial<corev1.PodStatus>, hadAddress: boolean, before: readonly corev1.PodCondition[] = []): object {
  const { conditions = [], podIPs } = status;
  const noAddress = hadAddress ? { podIP: null, podIPs: null } : {};
  const addresses = podIPs ? { podIPs: [...podIPs, { $patch: 'replace' }] } : noAddress;
  const order = conditions.map(({ type }) => ({ type }));
  // A rejected pod has no conditions of its kubelet. Cf. pkg/kubelet/status mergePodStatus.
  const removed = before.filter(
    ({ type }) => /^Pod(Resize|Scheduled)/.test(type) && !conditions.some((condition) => condition.type === type),
  );
  if (conditions.length + removed.length === 0) return { ...status, ...addresses };
  return {
    ...status,
    ...addresses,
    conditions: [
      ...conditions.map((condition) => ({ reason: null, message: null, ...condition })),
      ...removed.map(({ type }) => ({ $patch: 'delete', type })),
    ],
    '$setElementOrder/conditions': order,
  };
}

/** The pod with the conditions of the newest status, which the cache may not have yet. */
function withReported(pod: corev1.Pod, reported: Partial<corev1.PodStatus> | undefined): corev1.Pod {
  if (!reported) return pod;
  const own = reported.conditions ?? [];
  const others = (pod.status.conditions ?? []).filter(({ type }) => !own.some((condition) => condition.type === type));
  return { ...pod, status: { ...pod.status, conditions: [...own, ...others] } };
}

const withMountErrors = (references: References, prepared: PreparedSandbox | undefined): References =>
  prepared ? { ...references, mountErrors: [...references.mountErrors, ...prepared.mountErrors] } : references;

/** Whether objects to which the pod refers are needed for a mount, its sandbox, or a start. */
function needsReferences({ spec, metadata }: corev1.Pod, { mounts, sandboxMs, containers, isFinished }: PodState): boolean {
  if (isFinished || metadata.deletionTimestamp !== undefined) return false;
  if (!mounts.isDone || sandboxMs === undefined) return true;
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const hasReferences = all.some(({ env, envFrom }) => envFrom !== undefined || env?.some(({ valueFrom }) => valueFrom !== undefined));
  return (hasReferences || spec.imagePullSecrets !== undefined) && containers.some(({ run }) => run === undefined);
}
