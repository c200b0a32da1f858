import { type Clock, createTurnPace, type Pace } from '../../env/index.ts';

/** Commands that a container may run one after the other; then it rests, so that endless loops leave time for others. */
const burst = 500;
const restMs = 10;

/** Limits the commands of a container, of all its processes together; also where the time of the clock does not pass by itself. */
export function createCommandPace(clock: Clock): Pace {
  const pace = createTurnPace(clock);
  let count = 0;
  let rest: Promise<void> | undefined;
  return () => {
    if (rest) return rest;
    if (++count % burst !== 0) return pace();
    rest = clock.sleep(restMs).then(() => {
      rest = undefined;
    });
    return rest;
  };
}
