/** The ports to the platform: clock, random source, log, byte streams and outbound requests, with deterministic implementations for tests. */

export { ByteQueue } from './byte-queue.ts';
export type { ByteSink, ByteSource, ByteStream } from './byte-stream.ts';
export {
  changeTime,
  hostTime,
  maxSpeed,
  maxStepMs,
  parseTimeChange,
  parseTimeState,
  type TimeChange,
  type TimeState,
  withClusterTime,
} from './cluster-time.ts';
export { errorMessage } from './error-message.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { createMemoryLog } from './memory-log.ts';
export { createMessagePair, type MessageConnection, messageSize } from './message-pair.ts';
export { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest, type OutboundTls } from './outbound.ts';
export { createPace, createTurnPace, type Pace, runYielding } from './pace.ts';
export { type Clock, type Env, type Log, maxTimerMs, type Random } from './ports.ts';
export { createScaledClock, type ScaledClock } from './scaled-clock.ts';
export { createSeededRandom } from './seeded-random.ts';
export { createStreamPair } from './stream-pair.ts';
export { TokenBucket } from './token-bucket.ts';
