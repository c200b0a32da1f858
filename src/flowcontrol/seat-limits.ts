/** The parts of a PriorityLevelConfiguration that divide the seats of the server. */
export interface LevelShares {
  readonly nominalConcurrencyShares: number;
  readonly lendablePercent: number;
  /** Undefined: it may borrow all seats of the server. */
  readonly borrowingLimitPercent: number | undefined;
}

/** Seats of a priority level. */
export interface SeatLimits {
  /** Its share of the seats of the server. */
  readonly nominal: number;
  /** What remains when all that is lendable is lent. */
  readonly lower: number;
  /** What it may use with borrowed seats. */
  readonly upper: number;
}

/** The seats of each level by its configuration. Cf. k8s.io/apiserver util/flowcontrol finishQueueSetReconfigsLocked. */
export function seatLimits(levels: ReadonlyMap<string, LevelShares>, serverSeats: number): ReadonlyMap<string, SeatLimits> {
  const shares = [...levels.values()].reduce((sum, level) => sum + level.nominalConcurrencyShares, 0);
  const limits = new Map<string, SeatLimits>();
  for (const [name, { nominalConcurrencyShares, lendablePercent, borrowingLimitPercent }] of levels) {
    const nominal = shares === 0 ? 0 : Math.ceil((serverSeats * nominalConcurrencyShares) / shares);
    const lendable = Math.round((nominal * lendablePercent) / 100);
    const borrowed = borrowingLimitPercent === undefined ? serverSeats : Math.round((nominal * borrowingLimitPercent) / 100);
    limits.set(name, { nominal, lower: nominal - lendable, upper: nominal + borrowed });
  }
  return limits;
}

/** A level that takes part in an allocation, in seats. */
export interface Claim {
  readonly lower: number;
  readonly upper: number;
  /** What it needs; at least `lower`. */
  readonly target: number;
}

/** Levels without demand share what others leave. Cf. MinTarget. */
const minTarget = 0.001;

/** Enough for the precision of a number. */
const bisectionSteps = 60;

/**
 * Divides seats such that all claims get the same fraction of their targets, within their bounds; in the order of the claims. When the
 * bounds leave no choice, each gets its lower or upper bound. Cf. computeConcurrencyAllocation.
 */
export function allocateSeats(total: number, claims: readonly Claim[]): readonly number[] {
  const seatsAt = (fraction: number): readonly number[] =>
    claims.map(({ lower, upper, target }) => Math.min(upper, Math.max(lower, fraction * Math.max(target, minTarget))));
  const sumAt = (fraction: number): number => seatsAt(fraction).reduce((sum, seats) => sum + seats, 0);
  let low = 0;
  let high = claims.reduce((most, { upper, target }) => Math.max(most, upper / Math.max(target, minTarget)), 0);
  if (sumAt(low) >= total) return seatsAt(low);
  if (sumAt(high) <= total) return seatsAt(high);
  // The sum grows with the fraction.
  for (let step = 0; step < bisectionSteps; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < total) low = middle;
    else high = middle;
  }
  return seatsAt(high);
}
