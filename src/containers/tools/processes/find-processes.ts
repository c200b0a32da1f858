import { baseName, type Invocation } from '../../../shell/index.ts';
import type { Process } from '../../process/process.ts';
import { nameOf } from '../arguments.ts';

/** Characters of a process's name. Cf. TASK_COMM_LEN of Linux. */
const nameLength = 15;

/** The name of a process, as in /proc/PID/comm. */
export const commandName = ({ argv: [first = ''] }: Process): string => baseName(first).slice(0, nameLength);

/** Whether a tool is a process of its own. Commands of a shell are not. */
export const isOwnProcess = (invocation: Invocation, process: Process): boolean => commandName(process) === nameOf(invocation);

/** The processes of the container by their ID, except the one that runs the tool itself. */
export function otherProcesses(invocation: Invocation, own: Process): readonly Process[] {
  const isTool = (one: Process): boolean => one === own && isOwnProcess(invocation, one);
  return [...own.container.processes.values()].filter((one) => !isTool(one)).sort((a, b) => a.pid - b.pid);
}
