import { CommandError, type Invocation, readNumber, readOptionalNumber } from '../../../shell/index.ts';
import { readText } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { Tty } from '../../process/tty.ts';
import { userNameOf } from '../../programs/user-names.ts';
import { readArguments } from '../arguments.ts';
import { isOwnProcess } from './find-processes.ts';
import { readMemory } from './system-state.ts';

const usage = { options: 'bHn:d:', synopsis: '[-bH] [-n COUNT] [-d SECONDS]' };

/** KiB of a process, of which nothing more is known. */
const processSize = 4404;

/** Also Ctrl-C and Ctrl-D. */
const endKeys = ['q', 'Q', '\x03', '\x04'];

/** Shows the processes of the container until it is ended. */
export const top: Applet = async (invocation, process) => {
  const { flags, values } = readArguments(invocation, usage);
  const { out, input, signal } = invocation;
  const count = readOptionalNumber(invocation, values.get('n'), { least: 1 }) ?? Number.POSITIVE_INFINITY;
  const seconds = readNumber(invocation, values.get('d') ?? '5');
  const tty = input instanceof Tty && !flags.has('b') ? input : undefined;
  const keys = new AbortController();
  const ended = AbortSignal.any([signal, keys.signal]);
  if (tty)
    tty.onKeys = (text) => {
      if (endKeys.some((key) => text.includes(key))) keys.abort(new CommandError('', 0));
    };
  try {
    for (let shown = 1; ; shown++) {
      out(formatScreen(process, invocation, tty));
      if (shown >= count) return 0;
      await process.sleep(Math.max(seconds, 0.1) * 1000, ended);
    }
  } catch (error) {
    if (keys.signal.aborted) return 0;
    throw error;
  } finally {
    if (tty) tty.onKeys = undefined;
  }
};

function formatScreen(process: Process, invocation: Invocation, tty: Tty | undefined): string {
  const [head, rows] = describe(process, invocation);
  if (!tty) return `${[...head, ...rows].join('\n')}\n`;
  const { width, height } = tty.size;
  const title = head.pop() ?? '';
  const visible = rows.slice(0, Math.max(1, height - head.length - 2)).map((row) => row.slice(0, width - 1));
  return `\x1b[H\x1b[J${[...head, `\x1b[7m${title}\x1b[m`, ...visible].join('\n')}\n`;
}

/** The lines above the processes, of which the last has the titles, and those of the processes. */
function describe(own: Process, invocation: Invocation): readonly [head: string[], rows: readonly string[]] {
  const { total, free } = readMemory(own);
  const processes = [...own.container.processes.values()].sort((a, b) => a.pid - b.pid);
  const load = readText('/proc/loadavg', own).split(' ').slice(0, 3).join(' ');
  const newest = processes.at(-1)?.pid ?? 1;
  const head = [
    `Mem: ${(total - free) / 1024}K used, ${free / 1024}K free, 0K shrd, 0K buff, 0K cached`,
    'CPU:   0% usr   0% sys   0% nic 100% idle   0% io   0% irq   0% sirq',
    `Load average: ${load} 1/${processes.length} ${newest}`,
    '  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND',
  ];
  const percent = total === 0 ? 0 : Math.round((processSize * 1024 * 100) / total);
  const rows = processes.map((one) => {
    const user = userNameOf(one.user.uid, one).slice(0, 8);
    const state = one === own && isOwnProcess(invocation, own) ? 'R' : 'S';
    return `${String(one.pid).padStart(5)}     0 ${user.padEnd(8)} ${state.padEnd(4)}${String(processSize).padStart(6)}${String(percent).padStart(4)}%   0   0% ${one.argv.join(' ')}`;
  });
  return [head, rows];
}
