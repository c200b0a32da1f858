/** Demand for seats in a period. */
export interface DemandStatistics {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Average, standard deviation and maximum over time of a number. Cf. k8s.io/apiserver util/flowcontrol/integrator.go. */
export class DemandIntegrator {
  #value = 0;
  #sinceMs: number;
  #lastMs: number;
  #integral = 0;
  #integralOfSquares = 0;
  #highest = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
    this.#lastMs = nowMs;
  }

  set(value: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** The statistics since the last call; a new period begins. */
  reset(nowMs: number): DemandStatistics {
    this.#advance(nowMs);
    const ms = nowMs - this.#sinceMs;
    const average = ms > 0 ? this.#integral / ms : this.#value;
    const variance = ms > 0 ? this.#integralOfSquares / ms - average * average : 0;
    const statistics = { average, deviation: Math.sqrt(Math.max(0, variance)), highest: this.#highest };
    this.#sinceMs = nowMs;
    this.#integral = 0;
    this.#integralOfSquares = 0;
    this.#highest = this.#value;
    return statistics;
  }

  #advance(nowMs: number): void {
    const ms = nowMs - this.#lastMs;
    this.#integral += this.#value * ms;
    this.#integralOfSquares += this.#value * this.#value * ms;
    this.#lastMs = nowMs;
  }
}
