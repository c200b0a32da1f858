// The processor time and the resident memory of processes, from Linux's /proc.
import { readFileSync } from 'node:fs';

const ticksASecond = 100;

/** Milliseconds of all `pids` together, since their start. */
export function cpuMsOf(pids) {
  return pids.reduce((sum, pid) => {
    // The command, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond;
  }, 0);
}

/** Resident memory in megabytes. */
export function memoryOf(pids) {
  return pids.reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024, 0);
}
