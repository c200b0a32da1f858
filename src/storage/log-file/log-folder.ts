/**
 * The few things the file log asks of a file system, in one folder. Names have no folders in them.
 * What fails with the code ENOSPC or EDQUOT counts as out of space.
 */
export interface LogFolder {
  /**
   * Takes the folder for this process alone, until `unlock`.
   * Rejects, naming the process, when another one has it; what a dead process left does not count.
   */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  list(): Promise<readonly string[]>;
  read(name: string): Promise<Uint8Array>;
  /** Opens for appending; a file that was not there is made, and its name is durable when this resolves. */
  open(name: string): Promise<LogFile>;
  /** Replaces `to` in one step; durable when this resolves. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface LogFile {
  append(bytes: Uint8Array): Promise<void>;
  /** What was appended and truncated so far is on the disk when this resolves. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}
