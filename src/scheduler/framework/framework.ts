import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeStatuses, Nominator, Plugin, PostFilterResult, QueuedPod, Simulation } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { ScoreTable } from './scores.ts';
import { sortedNames } from './sorted-names.ts';
import { errorStatus, isRejected, messageOf, type Status, unresolvable, unschedulable, withPlugin } from './status.ts';

/** The plugins of a profile. */
export interface ProfilePlugins {
  /** The name of the scheduler, by which pods choose the profile. */
  readonly schedulerName: string;
  readonly plugins: readonly Plugin[];
  /** The plugins by extension point; undefined: all of them at each one. */
  readonly byPoint?: Readonly<Partial<Record<string, readonly Plugin[]>>>;
  /** Weights by plugin. */
  readonly weights: ReadonlyMap<string, number>;
  /** Percentage of the nodes to look at; 0: depends on their number. */
  readonly percentageOfNodesToScore: number | undefined;
}

export interface PreFilterOutcome {
  readonly status: Status | undefined;
  /** The only nodes to look at; undefined: all. */
  readonly nodes: ReadonlySet<string> | undefined;
  /** The plugins that restricted the nodes. */
  readonly restrictedBy: readonly string[];
}

type Extension = keyof Omit<Plugin, 'name' | 'events'>;
type With<E extends Extension> = Plugin & Required<Pick<Plugin, E>>;

/** Runs the plugins of a profile at each extension point. Cf. pkg/scheduler/framework/runtime frameworkImpl. */
export class Framework implements Simulation {
  readonly profile: ProfilePlugins;
  readonly #nominator: Nominator;
  readonly #preEnqueue: readonly With<'preEnqueue'>[];
  readonly #preFilter: readonly With<'preFilter'>[];
  readonly #filter: readonly With<'filter'>[];
  readonly #postFilter: readonly With<'postFilter'>[];
  readonly #preScore: readonly With<'preScore'>[];
  readonly #score: readonly With<'score'>[];
  readonly #reserve: readonly Plugin[];
  readonly #permit: readonly With<'permit'>[];
  readonly #preBind: readonly With<'preBind'>[];
  readonly #bind: readonly With<'bind'>[];
  readonly #postBind: readonly With<'postBind'>[];
  readonly #less: (a: QueuedPod, b: QueuedPod) => boolean;

  constructor(profile: ProfilePlugins, nominator: Nominator) {
    this.profile = profile;
    this.#nominator = nominator;
    const at = (point: string): readonly Plugin[] => profile.byPoint?.[point] ?? profile.plugins;
    const having = <E extends Extension>(extension: E): readonly With<E>[] =>
      at(extension === 'less' ? 'queueSort' : extension).filter((plugin): plugin is With<E> => plugin[extension] !== undefined);
    this.#preEnqueue = having('preEnqueue');
    this.#preFilter = having('preFilter');
    this.#filter = having('filter');
    this.#postFilter = having('postFilter');
    this.#preScore = having('preScore');
    this.#score = having('score').filter(({ name }) => (profile.weights.get(name) ?? 0) > 0);
    this.#reserve = at('reserve').filter(({ reserve, unreserve }) => reserve !== undefined || unreserve !== undefined);
    this.#permit = having('permit');
    this.#preBind = having('preBind');
    this.#bind = having('bind');
    this.#postBind = having('postBind');
    const [sort] = having('less');
    this.#less = sort ? (a, b) => sort.less(a, b) : () => false;
  }

  get hasScoring(): boolean {
    return this.#score.length > 0;
  }

  get hasPostFilter(): boolean {
    return this.#postFilter.length > 0;
  }

  less(a: QueuedPod, b: QueuedPod): boolean {
    return this.#less(a, b);
  }

  /** Undefined: the pod may enter the active queue. */
  preEnqueue(pod: PodInfo): Status | undefined {
    for (const plugin of this.#preEnqueue) {
      const status = plugin.preEnqueue(pod);
      if (status) return withPlugin(status, plugin.name);
    }
    return undefined;
  }

  preFilter(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PreFilterOutcome {
    const skipped = new Set<string>();
    state.skipFilter = skipped;
    const restrictedBy: string[] = [];
    let allowed: ReadonlySet<string> | undefined;
    let refusal: Status | undefined;
    for (const plugin of this.#preFilter) {
      const { status, nodes: names } = plugin.preFilter(state, pod, nodes) ?? {};
      if (status?.code === 'Skip') {
        skipped.add(plugin.name);
        continue;
      }
      if (status?.code === 'Unschedulable') {
        refusal = withPlugin(status, plugin.name);
        continue;
      }
      if (status) return { status: reported(status, plugin, 'PreFilter'), nodes: undefined, restrictedBy: [] };
      if (!names) continue;
      restrictedBy.push(plugin.name);
      const before: ReadonlySet<string> | undefined = allowed;
      allowed = before ? new Set([...before].filter((name) => names.has(name))) : names;
      if (allowed.size === 0) return { status: emptyRestriction(restrictedBy), nodes: allowed, restrictedBy };
    }
    return { status: refusal, nodes: allowed, restrictedBy };
  }

  addPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): void {
    for (const plugin of this.#preFilter) if (!state.skipFilter.has(plugin.name)) plugin.addPod?.(state, pod, added, node);
  }

  removePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): void {
    for (const plugin of this.#preFilter) if (!state.skipFilter.has(plugin.name)) plugin.removePod?.(state, pod, removed, node);
  }

  /**
   * Filters nodes for a pod. The pod must fit with and without the pods of the same or a higher priority that are nominated to the node. Cf.
   * RunFilterPluginsWithNominatedPods.
   */
  nodeFilter(state: CycleState, pod: PodInfo): (node: NodeInfo) => Status | undefined {
    const plugins = this.#filter.filter(({ name }) => !state.skipFilter.has(name));
    const filter = (from: CycleState, node: NodeInfo): Status | undefined => {
      for (const plugin of plugins) {
        const status = plugin.filter(from, pod, node);
        if (status) return reported(status, plugin, 'Filter');
      }
      return undefined;
    };
    return (node) => {
      const nominated = this.#nominator.podsForNode(node.name);
      return (nominated.length === 0 ? undefined : this.#filterBeside(nominated, { state, pod, node, filter })) ?? filter(state, node);
    };
  }

  filterWithNominated(state: CycleState, pod: PodInfo, node: NodeInfo): Status | undefined {
    return this.nodeFilter(state, pod)(node);
  }

  #filterBeside(
    nominated: readonly PodInfo[],
    {
      state,
      pod,
      node,
      filter,
    }: { state: CycleState; pod: PodInfo; node: NodeInfo; filter: (from: CycleState, node: NodeInfo) => Status | undefined },
  ): Status | undefined {
    const relevant = nominated.filter(({ priority, uid }) => priority >= pod.priority && uid !== pod.uid);
    if (relevant.length === 0) return undefined;
    const [withNominated, copy] = [state.clone(), node.clone()];
    for (const one of relevant) {
      copy.addPod(one);
      this.addPod(withNominated, pod, one, copy);
    }
    return filter(withNominated, copy);
  }

  postFilter(state: CycleState, pod: PodInfo, statuses: NodeStatuses): PostFilterResult {
    const reasons: string[] = [];
    let nominatedNode: string | undefined;
    let rejectedBy = '';
    for (const plugin of this.#postFilter) {
      const { status, nominatedNode: node } = plugin.postFilter(state, pod, statuses);
      if (!status || status.code === 'UnschedulableAndUnresolvable') return { status, nominatedNode: node };
      if (!isRejected(status)) return { status: withPlugin(status, plugin.name) };
      if (node !== undefined) nominatedNode = node;
      rejectedBy = plugin.name;
      reasons.push(...status.reasons);
    }
    return { status: withPlugin(unschedulable(...reasons), rejectedBy), nominatedNode };
  }

  /** Scores the nodes; a status when a plugin failed. Cf. prioritizeNodes. */
  score(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): ScoreTable | Status {
    const skipped = new Set<string>();
    state.skipScore = skipped;
    for (const plugin of this.#preScore) {
      const status = plugin.preScore(state, pod, nodes);
      if (status?.code === 'Skip') skipped.add(plugin.name);
      else if (status) return errorStatus(new Error(`running PreScore plugin "${plugin.name}": ${messageOf(status)}`));
    }
    const totals = nodes.map(() => 0);
    const columns = this.#score
      .filter(({ name }) => !skipped.has(name))
      .map((plugin) => {
        const scores = nodes.map((node) => plugin.score(state, pod, node));
        plugin.normalizeScore?.(state, scores, nodes);
        const weight = this.profile.weights.get(plugin.name) ?? 0;
        const weighted = scores.map((score) => score * weight);
        for (let index = 0; index < totals.length; index++) totals[index] = (totals[index] ?? 0) + (weighted[index] ?? 0);
        return { plugin: plugin.name, scores: weighted };
      });
    return { nodes, totals, columns };
  }

  reserve(state: CycleState, pod: PodInfo, node: string): Status | undefined {
    for (const plugin of this.#reserve) {
      const status = plugin.reserve?.(state, pod, node);
      if (status) return reported(status, plugin, 'Reserve');
    }
    return undefined;
  }

  /** In reverse order. */
  unreserve(state: CycleState, pod: PodInfo, node: string): void {
    for (const plugin of [...this.#reserve].reverse()) plugin.unreserve?.(state, pod, node);
  }

  /** Undefined: allowed. `Wait` with the time to wait for: by plugin, in milliseconds. */
  permit(
    state: CycleState,
    pod: PodInfo,
    node: string,
  ): { readonly status: Status; readonly waits: ReadonlyMap<string, number> } | undefined {
    const waits = new Map<string, number>();
    for (const plugin of this.#permit) {
      const result = plugin.permit(state, pod, node);
      if (!result) continue;
      const { status, timeoutMs = maxPermitMs } = result;
      if (status.code !== 'Wait') return { status: reported(status, plugin, 'Permit'), waits };
      waits.set(plugin.name, Math.min(timeoutMs, maxPermitMs));
    }
    return waits.size === 0 ? undefined : { status: { code: 'Wait', reasons: [] }, waits };
  }

  async preBind(state: CycleState, pod: PodInfo, node: string): Promise<Status | undefined> {
    for (const plugin of this.#preBind) {
      const status = await plugin.preBind(state, pod, node);
      if (status) return reported(status, plugin, 'PreBind');
    }
    return undefined;
  }

  /** Runs the plugins until one binds the pod. */
  async bind(state: CycleState, pod: PodInfo, node: string): Promise<Status | undefined> {
    for (const plugin of this.#bind) {
      const status = await plugin.bind(state, pod, node);
      if (status?.code === 'Skip') continue;
      return status && reported(status, plugin, 'Bind');
    }
    return errorStatus(new Error('no bind plugin bound the pod'));
  }

  postBind(state: CycleState, pod: PodInfo, node: string): void {
    for (const plugin of this.#postBind) plugin.postBind(state, pod, node);
  }
}

/** A refusal of a plugin, or its failure with the extension point. */
function reported(status: Status, { name }: Plugin, point: string): Status {
  if (isRejected(status)) return withPlugin(status, name);
  const what = point === 'Filter' ? `"${name}" filter plugin` : `${point} plugin "${name}"`;
  return withPlugin(errorStatus(new Error(`running ${what}: ${messageOf(status)}`)), name);
}

/** Upstream maxTimeout of Permit. */
const maxPermitMs = 15 * 60_000;

function emptyRestriction(plugins: readonly string[]): Status {
  const names = sortedNames(plugins);
  return unresolvable(
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${names[0]}`
      : `node(s) didn't satisfy plugin(s) [${names.join(' ')}] simultaneously`,
  );
}
