/** Nodes of a zone that get taints, in a second (--node-eviction-rate, --secondary-node-eviction-rate). */
const evictionRate = 0.1;
const secondaryRate = 0.01;
/** A partly disrupted zone of this size or less stops (--large-cluster-size-threshold). */
const largeZoneSize = 50;
/** The share of nodes that are not ready in a partly disrupted zone (--unhealthy-zone-threshold). */
const unhealthyShare = 0.55;

export type ZoneState = 'normal' | 'partial' | 'full';

/** Cf. ComputeZoneState. */
export function computeZoneState(readiness: readonly boolean[]): ZoneState {
  const notReady = readiness.filter((isReady) => !isReady).length;
  if (notReady > 0 && notReady === readiness.length) return 'full';
  return notReady > 2 && notReady / readiness.length >= unhealthyShare ? 'partial' : 'normal';
}

/** Nodes in a second that get taints in a zone. Cf. setLimiterInZone. */
function taintingRate(state: ZoneState, size: number): number {
  if (state !== 'partial') return evictionRate;
  return size > largeZoneSize ? secondaryRate : 0;
}

/** The changes of a check of all zones. */
export interface DisruptionChange {
  /** No node of the cluster is ready since this check: the controller itself may be at fault, so no node is tainted. */
  readonly entersFullDisruption: boolean;
  readonly leavesFullDisruption: boolean;
  /** New rates by zone. */
  readonly rates: ReadonlyMap<string, number>;
}

/** The states of all zones. Cf. handleDisruption. */
export class ZoneStates {
  #states: ReadonlyMap<string, ZoneState> = new Map();

  /** `zones` has the readiness of the nodes of each zone. */
  update(zones: ReadonlyMap<string, readonly boolean[]>): DisruptionChange {
    const before = this.#states;
    const states = new Map([...zones].map(([zone, readiness]) => [zone, computeZoneState(readiness)]));
    this.#states = states;
    const isFull = zones.size > 0 && [...states.values()].every((state) => state === 'full');
    const wasFull = before.size > 0 && [...before].filter(([zone]) => zones.has(zone)).every(([, state]) => state === 'full');
    if (isFull) {
      const rates = wasFull ? new Map<string, number>() : new Map([...states.keys()].map((zone) => [zone, 0]));
      return { entersFullDisruption: !wasFull, leavesFullDisruption: false, rates };
    }
    const changed = [...states].filter(([zone, state]) => wasFull || before.get(zone) !== state);
    const rates = new Map(changed.map(([zone, state]) => [zone, taintingRate(state, zones.get(zone)?.length ?? 0)]));
    return { entersFullDisruption: false, leavesFullDisruption: wasFull, rates };
  }
}
