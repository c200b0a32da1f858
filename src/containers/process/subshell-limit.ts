import { CommandError } from '../../shell/index.ts';

/** Subshells that a container may have at the same time. Cf. podPidsLimit. */
const maxSubshells = 1024;

/** Counts the subshells of a container, so that one that starts more and more of them fails instead of its host. */
export function createSubshellLimit(): () => () => void {
  let count = 0;
  return () => {
    if (count >= maxSubshells) throw new CommandError("sh: can't fork: Resource temporarily unavailable", 2);
    count++;
    return () => {
      count--;
    };
  };
}
