/** Queues of the objects that a controller has to reconcile. */
export {
  BucketRateLimiter,
  createControllerRateLimiter,
  ExponentialFailureRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
} from './rate-limiter.ts';
export { IgnorableError, runWorkers, type WorkerOptions } from './run-workers.ts';
export { WorkQueue, type WorkQueueOptions } from './work-queue.ts';
