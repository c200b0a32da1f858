import { startControllers } from '../../cluster/index.ts';

/** Whoever opened the cluster by asking something has an answer by then. */
const startAfterMs = 200;

/** Starts the controllers a moment later: their first lists must not stand in the way of the first answer. */
export const actingSoon: typeof startControllers = (parts) => {
  let stop = parts.clock.schedule(startAfterMs, () => {
    stop = startControllers(parts);
  });
  return () => stop();
};
