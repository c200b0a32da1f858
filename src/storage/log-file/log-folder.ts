/**
 * The few operations of a file system that the file log needs, in one folder. Names have no folders in them.
 * An error with the code ENOSPC or EDQUOT counts as out of space.
 */
export interface LogFolder {
  /** For messages. */
  readonly path: string;
  readonly processes: ProcessTable;
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Uint8Array>;
  /** The size of a file in bytes; undefined when there is none of that name. */
  size(name: string): Promise<number | undefined>;
  /**
   * Makes a file of `bytes` in one step, unless there is one of that name: then resolves to false. Of several processes one succeeds,
   * and nobody reads a part of it. Durable, as is its name, when this resolves.
   */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Opens for appending; a file that was not there is made, and its name is durable when this resolves. */
  open(name: string): Promise<LogFile>;
  /** Opens an existing file to overwrite its beginning. */
  openInPlace(name: string): Promise<InPlaceFile>;
  /** Replaces `to` in one step; durable when this resolves. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>;
}

export interface LogFile {
  append(bytes: Uint8Array): Promise<void>;
  /** What was appended and truncated so far is on the disk when this resolves. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** A file of constant size, which takes no space when it is written: it can be on a full disk, too. */
export interface InPlaceFile {
  /** Overwrites the file from its beginning. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Identifies a process among all that ever may see the folder. */
export interface ProcessMark {
  readonly pid: number;
  /** The boot of a machine and the PID namespace, in which `pid` means something. */
  readonly scope: string;
  /** When the process started, as text; empty where that cannot be known. */
  readonly started: string;
  /** For messages. */
  readonly host: string;
}

export interface ProcessTable {
  /** This process. */
  own(): Promise<ProcessMark>;
  /** `unknown`: the process belongs to another machine or PID namespace, or its id may have been reused. */
  stateOf(mark: ProcessMark): Promise<'alive' | 'dead' | 'unknown'>;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const isOutOfSpace = (error: unknown): boolean => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';

export const isMissingFile = (error: unknown): boolean => codeOf(error) === 'ENOENT';
