import { readText } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { readArguments } from '../arguments.ts';

/** Of /proc/meminfo, in bytes. */
export interface Memory {
  readonly total: number;
  readonly free: number;
  readonly available: number;
}

export function readMemory(process: Process): Memory {
  const lines = readText('/proc/meminfo', process).split('\n');
  const value = (name: string): number => Number(lines.find((line) => line.startsWith(`${name}:`))?.match(/\d+/)?.[0] ?? 0) * 1024;
  return { total: value('MemTotal'), free: value('MemFree'), available: value('MemAvailable') };
}

/** `23.5G`. */
function formatSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1024; unit++) value /= 1024;
  return unit === 0 ? String(bytes) : `${value.toFixed(1)}${'KMGT'[unit - 1]}`;
}

const free: Applet = (invocation, process) => {
  const { flags } = readArguments(invocation, { options: 'bkmgth', synopsis: '[-bkmgh]' });
  const shift = flags.has('b') ? 0 : flags.has('m') ? 2 : flags.has('g') ? 3 : flags.has('t') ? 4 : 1;
  const show = (bytes: number): string => (flags.has('h') ? formatSize(bytes) : String(Math.floor(bytes / 1024 ** shift)));
  const row = (head: string, values: readonly number[]): string =>
    `${head.padEnd(7)}${values.map((bytes) => show(bytes).padStart(12)).join('')}\n`;
  const { total, free: unused, available } = readMemory(process);
  invocation.out('              total        used        free      shared  buff/cache   available\n');
  invocation.out(row('Mem:', [total, total - unused, unused, 0, 0, available]) + row('Swap:', [0, 0, 0]));
  return 0;
};

/** `14:16:58 up 10:48,  0 users,  load average: 0.00, 0.00, 0.00`. */
function uptimeLine(process: Process): string {
  const { clock } = process.container.env;
  const seconds = Number.parseFloat(readText('/proc/uptime', process)) || 0;
  const [minutes, hours, days] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600) % 24, Math.floor(seconds / 86_400)];
  const time = new Date(clock.nowMs()).toISOString().slice(11, 19);
  const since = hours > 0 ? `${String(hours).padStart(2)}:${String(minutes).padStart(2, '0')}` : `${minutes} min`;
  const load = readText('/proc/loadavg', process).split(' ').slice(0, 3).join(', ');
  return ` ${time} up ${days > 0 ? `${days} day${days > 1 ? 's' : ''}, ` : ''}${since},  0 users,  load average: ${load}\n`;
}

const uptime: Applet = (invocation, process) => {
  readArguments(invocation, { options: '', synopsis: '' });
  invocation.out(uptimeLine(process));
  return 0;
};

export const stateTools: Readonly<Record<string, Applet>> = { free, uptime };
