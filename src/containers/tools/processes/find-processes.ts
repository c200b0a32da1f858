import { baseName, type Invocation } from '../../../shell/index.ts';
import type { Process } from '../../process/process.ts';
import { nameOf } from '../arguments.ts';

/** Characters of a process's name. Cf. TASK_COMM_LEN of Linux. */
const nameLength = 15;

/** The name of a process, as in /proc/PID/comm. */
export const commandName = ({ argv: [first = ''] }: Process): string => baseName(first).slice(0, nameLength);

/** The processes of the container by their ID, except the one that runs the tool itself. Commands of a shell are no processes of their own. */
export function otherProcesses(invocation: Invocation, own: Process): readonly Process[] {
  const isOwn = (one: Process): boolean => one === own && commandName(one) === nameOf(invocation);
  return [...own.container.processes.values()].filter((one) => !isOwn(one)).sort((a, b) => a.pid - b.pid);
}
