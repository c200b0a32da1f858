import type { Random } from '../../env/index.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { Framework } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Snapshot } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { ScoreTable } from '../framework/scores.ts';
import { sortedNames } from '../framework/sorted-names.ts';
import { isRejected, type Status, unresolvable } from '../framework/status.ts';
import { Diagnosis, setPreFilterRefusal } from './fit-error.ts';
import { nodesToFind } from './nodes-to-find.ts';

/** The outcome of the search for a node. */
export type Found =
  | { readonly kind: 'node'; readonly node: NodeInfo; readonly scores: ScoreTable | undefined; readonly diagnosis: Diagnosis }
  | { readonly kind: 'none'; readonly diagnosis: Diagnosis }
  | { readonly kind: 'noNodes' }
  | { readonly kind: 'error'; readonly status: Status };

/** Searches nodes for pods; successive searches start at successive nodes. Cf. schedulePod. */
export class NodeFinder {
  readonly #snapshot: Snapshot;
  readonly #random: Random;
  #start = 0;

  constructor(snapshot: Snapshot, random: Random) {
    this.#snapshot = snapshot;
    this.#random = random;
  }

  find(framework: Framework, state: CycleState, pod: PodInfo): Found {
    const nodes = this.#snapshot.list();
    if (nodes.length === 0) return { kind: 'noNodes' };
    const diagnosis = new Diagnosis();
    const fitting = this.#fittingNodes({ framework, state, pod, diagnosis, nodes });
    if ('code' in fitting) return { kind: 'error', status: fitting };
    const [only] = fitting;
    if (!only) return { kind: 'none', diagnosis };
    if (fitting.length === 1) return { kind: 'node', node: only, scores: undefined, diagnosis };
    const scores = framework.score(state, pod, fitting);
    if ('code' in scores) return { kind: 'error', status: scores };
    return { kind: 'node', node: this.#best(scores), scores, diagnosis };
  }

  /** Cf. findNodesThatFitPod. */
  #fittingNodes(search: Search): readonly NodeInfo[] | Status {
    const { framework, state, pod, diagnosis, nodes } = search;
    const { status, nodes: allowed, restrictedBy } = framework.preFilter(state, pod, nodes);
    if (status && !isRejected(status)) return status;
    if (status) {
      setPreFilterRefusal(diagnosis, status);
      return [];
    }
    // The node that preemption nominated is likely the only one that fits.
    const nominated = pod.pod.status.nominatedNodeName;
    const nominatedNode = nominated ? this.#snapshot.get(nominated) : undefined;
    if (nominatedNode && (!allowed || allowed.has(nominatedNode.name))) {
      const fitting = filterNodes(search, { nodes: [nominatedNode], start: 0, wanted: 1 });
      if ('code' in fitting || fitting.length > 0) return fitting;
    }
    const candidates = allowed ? [...allowed].flatMap((name) => this.#snapshot.get(name) ?? []) : nodes;
    if (allowed) diagnosis.setAbsent(unresolvable(`node(s) didn't satisfy plugin(s) [${sortedNames(restrictedBy).join(' ')}]`));
    const percentage = framework.profile.percentageOfNodesToScore;
    const wanted = framework.hasScoring ? nodesToFind(candidates.length, percentage) : 1;
    const fitting = filterNodes(search, { nodes: candidates, start: this.#start, wanted });
    if (!('code' in fitting)) this.#start = (this.#start + fitting.length + diagnosis.size) % nodes.length;
    return fitting;
  }

  /** One of the nodes with the highest score, chosen at random. Cf. selectHost. */
  #best({ nodes, totals }: ScoreTable): NodeInfo {
    const max = totals.reduce((largest, total) => Math.max(largest, total), Number.NEGATIVE_INFINITY);
    const best = nodes.filter((_, index) => totals[index] === max);
    const chosen = best[best.length === 1 ? 0 : this.#random.integer(best.length)];
    if (!chosen) throw new Error('there are no scores');
    return chosen;
  }
}

interface Search {
  readonly framework: Framework;
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly diagnosis: Diagnosis;
  readonly nodes: readonly NodeInfo[];
}

interface Candidates {
  readonly nodes: readonly NodeInfo[];
  readonly start: number;
  /** Number of fitting nodes that end the search. */
  readonly wanted: number;
}

/** Cf. findNodesThatPassFilters. */
function filterNodes({ framework, state, pod, diagnosis }: Search, { nodes, start, wanted }: Candidates): readonly NodeInfo[] | Status {
  const fitting: NodeInfo[] = [];
  const filter = framework.nodeFilter(state, pod);
  for (let index = 0; index < nodes.length && fitting.length < wanted; index++) {
    const node = nodes[(start + index) % nodes.length];
    if (!node) continue;
    const status = filter(node);
    if (!status) fitting.push(node);
    else if (isRejected(status)) diagnosis.set(node.name, status);
    else return status;
  }
  return fitting;
}
