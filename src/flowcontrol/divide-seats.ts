import type { PriorityLevel } from './priority-level.ts';
import { allocateSeats, seatLimits } from './seat-limits.ts';

/**
 * Divides the seats of the server among the priority levels, by their configuration and by their demand in the period that ends now. Cf.
 * k8s.io/apiserver util/flowcontrol/apf_controller.go updateBorrowingLocked.
 */
export function divideSeats(levels: ReadonlyMap<string, PriorityLevel>, serverSeats: number): void {
  const limits = seatLimits(new Map([...levels].map(([name, { shares }]) => [name, shares])), serverSeats);
  let total = 0;
  const limited: PriorityLevel[] = [];
  for (const level of levels.values()) {
    const own = limits.get(level.name);
    if (!own) continue;
    level.setLimits(own);
    level.endPeriod();
    total += own.nominal;
    if (level.isExempt) level.setCurrentLimit(Math.max(own.lower, level.highestDemand));
    else limited.push(level);
  }
  const exempt = [...levels.values()].filter(({ isExempt }) => isExempt);
  const remaining = exempt.reduce((rest, { currentLimit }) => rest - currentLimit, total);
  const seats = seatsOf(limited, remaining);
  for (const [index, level] of limited.entries()) level.setCurrentLimit(Math.round(seats[index] ?? 0));
}

function seatsOf(levels: readonly PriorityLevel[], remaining: number): readonly number[] {
  const least = levels.map(({ limits }) => limits.lower);
  // No level lends what it has needed itself.
  const needed = levels.map(({ limits, highestDemand }) => Math.max(limits.lower, Math.min(limits.nominal, highestDemand)));
  const [leastSum, neededSum] = [sum(least), sum(needed)];
  if (remaining <= leastSum) return least;
  if (remaining <= neededSum) {
    const fraction = (remaining - leastSum) / (neededSum - leastSum);
    return needed.map((seats, index) => (least[index] ?? 0) + (seats - (least[index] ?? 0)) * fraction);
  }
  const claims = levels.map(({ limits, smoothedDemand }, index) => {
    const lower = needed[index] ?? 0;
    return { lower, upper: limits.upper, target: Math.max(lower, smoothedDemand) };
  });
  return allocateSeats(remaining, claims);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
