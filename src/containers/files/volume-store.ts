import { SystemError } from './file-error.ts';

/** The kind of a file system, as `df` and `mount` show it, with its number in statfs. */
export const fileSystemNumbers = {
  cgroup2: 0x63677270,
  ext4: 0xef53,
  overlay: 0x794c7630,
  tmpfs: 0x01021994,
  proc: 0x9fa0,
  sysfs: 0x62656572,
} as const;

export type FileSystemType = keyof typeof fileSystemNumbers;

/** Counts the bytes of a file system against its limit. */
export class VolumeStore {
  readonly type: FileSystemType;
  readonly limitBytes: number;
  #usedBytes = 0;
  readonly #onChange: (usedBytes: number) => void;

  /** `onChange` is called when the used bytes have changed. */
  constructor(type: FileSystemType, limitBytes: number, onChange: (usedBytes: number) => void = () => {}) {
    this.type = type;
    this.limitBytes = limitBytes;
    this.#onChange = onChange;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Accounts for a file that grows or shrinks. @throws SystemError ENOSPC */
  resize(byBytes: number): void {
    if (byBytes > 0 && this.#usedBytes + byBytes > this.limitBytes) throw new SystemError('ENOSPC');
    this.#usedBytes += byBytes;
    if (byBytes !== 0) this.#onChange(this.#usedBytes);
  }
}
