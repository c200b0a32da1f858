import type { RequestRecord } from './request-log.ts';

/** One line that was run, for its block in the log. */
export interface Command {
  readonly id: number;
  readonly line: string;
  /** Who and where it ran: `default`, or `alice@shop`. */
  readonly prompt: string;
  readonly requests: RequestRecord[];
  /** Undefined while it runs or waits. */
  exit: number | undefined;
  ms: number;
  state: 'waiting' | 'running' | 'done';
}

/** The view that shows a command as it goes. */
export interface CommandView {
  write(text: string, stream: 'out' | 'err'): void;
  /** The object of the line that was just written is gone, as of this revision. */
  gone(revision: string): void;
  changed(): void;
}
