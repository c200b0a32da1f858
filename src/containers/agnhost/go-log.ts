import type { Invocation } from '../../shell/index.ts';
import type { Process } from '../process/process.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A line of Go's package log. */
export function logLine(text: string, { err }: Pick<Invocation, 'err'>, { container }: Process): void {
  const date = new Date(container.env.clock.nowMs());
  const day = `${date.getUTCFullYear()}/${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}`;
  err(`${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${text.replace(/\n$/, '')}\n`);
}

/** A line of klog with the level info. */
export function klogLine(text: string, source: string, { err }: Pick<Invocation, 'err'>, { container, pid }: Process): void {
  const date = new Date(container.env.clock.nowMs());
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}.${String(date.getUTCMilliseconds()).padStart(3, '0')}000`;
  err(`I${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())} ${time} ${String(pid).padStart(7)} ${source}] ${text}\n`);
}
