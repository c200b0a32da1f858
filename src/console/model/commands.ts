import type { Terminal } from '../../shell/index.ts';
import type { RequestRecord } from './request-log.ts';

/** One command line that was run, shown as a block in the log. */
export interface Command {
  readonly id: number;
  readonly line: string;
  /** User and namespace: `default`, or `alice@shop`. */
  readonly prompt: string;
  readonly requests: RequestRecord[];
  /** Exit code. Undefined until the command is done. */
  exit: number | undefined;
  ms: number;
  state: 'waiting' | 'running' | 'done';
}

/** Receives the output of a running command. */
export interface CommandView {
  write(text: string, stream: 'out' | 'err'): void;
  /** Marks the last written line as deleted at this revision. */
  markDeleted(revision: string): void;
  changed(): void;
  /** For interactive commands. */
  readonly terminal: Terminal;
}
