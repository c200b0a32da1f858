/**
 * Port to the file system operations of the file log, in one folder. File names have no path separators.
 * Errors with the code ENOSPC or EDQUOT mean out of space.
 */
export interface LogFolder {
  /** For error messages. */
  readonly path: string;
  readonly processes: ProcessTable;
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Uint8Array>;
  /** The size of a file in bytes; undefined when it does not exist. */
  size(name: string): Promise<number | undefined>;
  /**
   * Creates a file with `bytes` atomically; resolves to false when the name exists. One of several processes succeeds, and no reader
   * gets a partial file. File and directory entry are durable when this resolves.
   */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Opens a file for appending, or creates it; its directory entry is durable when this resolves. */
  open(name: string): Promise<LogFile>;
  /** Opens an existing file to overwrite its beginning. */
  openInPlace(name: string): Promise<InPlaceFile>;
  /** Replaces `to` atomically; durable when this resolves. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
}

export interface LogFile {
  append(bytes: Uint8Array): Promise<void>;
  /** fsync: earlier appends and truncations are durable when this resolves. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** A file of constant size, which can be written on a full disk, too. */
export interface InPlaceFile {
  /** Overwrites the file from its beginning. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Identifies a process among all processes that may use the folder. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot id of the machine and PID namespace in which `pid` is valid. */
  readonly scope: string;
  /** Start time of the process, as text; empty where it is unknown. */
  readonly started: string;
  /** For error messages. */
  readonly host: string;
}

export interface ProcessTable {
  /** The identity of this process. */
  self(): Promise<ProcessIdentity>;
  /** `unknown`: the process belongs to another machine or PID namespace, or its id may have been reused. */
  stateOf(mark: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'>;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const isOutOfSpace = (error: unknown): boolean => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';

export const isMissingFile = (error: unknown): boolean => codeOf(error) === 'ENOENT';
