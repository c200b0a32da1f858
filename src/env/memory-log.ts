import type { Log } from './ports.ts';

export interface LogLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly event: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A log that stores its lines in memory, for tests and for the console. */
export function createMemoryLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const put =
    (level: LogLine['level']) =>
    (event: string, details: LogLine['details']): void => {
      lines.push({ level, event, details });
    };
  return { lines, error: put('error'), warn: put('warn'), info: put('info') };
}
