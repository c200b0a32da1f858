/** The ports to the platform: clock, random source, log and outbound requests, with deterministic implementations for tests. */

export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createMemoryLog, type LogLine } from './memory-log.ts';
export { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest, type OutboundTls } from './outbound.ts';
export { createPace, createTurnPace, type Pace, runYielding } from './pace.ts';
export type { Clock, Env, Log, Random } from './ports.ts';
export { createSeededRandom } from './seeded-random.ts';
