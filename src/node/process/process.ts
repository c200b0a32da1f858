/** The course of a simulated process, in milliseconds since its start. */
export interface Process {
  /** When it exits by itself; undefined: never. */
  readonly exit?: ProcessExit;
  /** How it reacts to SIGTERM; undefined: it ignores the signal and is killed. */
  readonly onTerm?: ProcessExit;
  /** Files that exist for some time, by their path. */
  readonly files: readonly FileLife[];
  /** From when HTTP requests fail with 500; undefined: never. */
  readonly failing?: { readonly fromMs: number };
  /** TCP ports on which it listens; undefined: all. */
  readonly ports?: readonly number[];
  /** Paths with status 200; undefined: all. */
  readonly paths?: readonly string[];
}

export interface ProcessExit {
  readonly atMs: number;
  readonly code: number;
  /** `OOMKilled`; default: `Completed` for code 0, else `Error`. */
  readonly reason?: string;
}

/** A file that exists between two times. */
export interface FileLife {
  readonly path: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether a file exists at a time. */
export function hasFile({ files }: Pick<Process, 'files'>, path: string, ms: number): boolean {
  return files.some((file) => file.path === path && file.fromMs <= ms && ms < file.untilMs);
}
