import type { Call } from './command.ts';

/** A line of klog. `place` is file and line of kubectl's source. */
export function logLine({ shell }: Pick<Call, 'shell'>, level: 'I' | 'W' | 'E' | 'F', place: string, text: string): string {
  const at = new Date(shell.clock.nowMs()).toISOString();
  return `${level}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000    4711 ${place}] ${text}\n`;
}
