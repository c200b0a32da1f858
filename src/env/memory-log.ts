import type { Log } from './ports.ts';

export interface LogLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly event: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines, for tests and for the console's view. */
export function createMemoryLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const put =
    (level: LogLine['level']) =>
    (event: string, details: LogLine['details']): void => {
      lines.push({ level, event, details });
    };
  return { lines, error: put('error'), warn: put('warn'), info: put('info') };
}
