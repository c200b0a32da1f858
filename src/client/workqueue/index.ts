/** Queues of the objects that a controller has to reconcile. */
export {
  createControllerRateLimiter,
  ExponentialFailureRateLimiter,
  type RateLimiter,
} from './rate-limiter.ts';
export { IgnorableError, runWorkers } from './run-workers.ts';
export { WorkQueue } from './work-queue.ts';
