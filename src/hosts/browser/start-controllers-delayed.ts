import { startControllers } from '../../cluster/index.ts';

/** Delay of the start; by then the request that opened the cluster has been answered. */
const startAfterMs = 200;

/** Starts the controllers with a delay, so that their initial lists do not slow down the first response. */
export const startControllersDelayed: typeof startControllers = (parts) => {
  let stop = parts.clock.schedule(startAfterMs, () => {
    stop = startControllers(parts);
  });
  return () => stop();
};
