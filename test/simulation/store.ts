import type { TimedKeySpace } from '../../src/storage/index.ts';

/** A key space as one process has it. */
export interface OpenedStore {
  readonly space: TimedKeySpace;
  /** Resolves when the store's own faults have killed the process. */
  readonly killed: Promise<void>;
  /** The process is no more, whatever it was doing. */
  leave(): void;
}

/** Where the data of a run are, over all processes that use them. */
export interface Store {
  /** Rejects when its faults do not let it be opened. */
  open(isFaulty: boolean): Promise<OpenedStore>;
}
