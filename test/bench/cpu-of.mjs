// The processor time that processes have taken, and the memory that they hold; Linux tells both.
import { readFileSync } from 'node:fs';

const ticksASecond = 100;

/** Milliseconds of all `pids` together, since they began. */
export function cpuMsOf(pids) {
  return pids.reduce((sum, pid) => {
    // The command, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond;
  }, 0);
}

/** Megabytes that are really in memory. */
export function memoryOf(pids) {
  return pids.reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024, 0);
}
