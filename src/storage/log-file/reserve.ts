import { isOutOfSpace, type LogFile, type LogFolder } from './log-folder.ts';

export const reserveName = 'reserve';

/** Space is given up in steps of this size, so that the rest stays out of reach of other users of the disk. */
const stepBytes = 64 * 1024;

/**
 * A file that only takes space. It is cut when a delete, a compaction or a snapshot finds the disk full, and filled again when there is
 * space. While it is short the disk counts as full for everything else.
 */
export class Reserve {
  readonly #folder: LogFolder;
  #file: LogFile | undefined;
  #size = 0;
  #targetBytes: number;
  #filling: Promise<void> | undefined;
  #isShort = false;

  constructor(folder: LogFolder, targetBytes: number) {
    this.#folder = folder;
    this.#targetBytes = targetBytes;
  }

  /** The disk was too full to fill it, or it was cut since. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Begins to fill it up to `targetBytes`, in the background. */
  grow(targetBytes: number = this.#targetBytes): void {
    this.#targetBytes = targetBytes;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  /** Whether it could be filled again. */
  async refill(): Promise<boolean> {
    // An attempt under way may have found the disk full before there was space again.
    if (this.#isShort) await this.#filling;
    if (this.#isShort) {
      this.grow();
      await this.#filling;
    }
    return !this.#isShort;
  }

  /** Gives up space for at least `bytes`, down to `floorBytes`; false when there is too little left. */
  async cut(bytes: number, floorBytes: number): Promise<boolean> {
    await this.#filling;
    const file = await this.#open();
    const size = Math.max(floorBytes, this.#size - Math.max(stepBytes, 2 * bytes));
    if (this.#size - size < bytes) return false;
    this.#isShort = true;
    await file.truncate(size);
    this.#size = size;
    // Some file systems free space only with the next transaction.
    await file.sync();
    return true;
  }

  async close(): Promise<void> {
    await this.#filling;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #fill(): Promise<void> {
    try {
      const file = await this.#open();
      if (this.#size > this.#targetBytes) {
        await file.truncate(this.#targetBytes);
        this.#size = this.#targetBytes;
      }
      while (this.#size < this.#targetBytes) {
        const bytes = filler.subarray(0, this.#targetBytes - this.#size);
        await file.append(bytes);
        this.#size += bytes.length;
      }
      this.#isShort = false;
    } catch (error) {
      // While it is short, the next write that needs free space tries again.
      this.#isShort = isOutOfSpace(error);
      this.#size = (await this.#folder.size(reserveName).catch(() => undefined)) ?? 0;
    }
  }

  async #open(): Promise<LogFile> {
    if (!this.#file) {
      this.#file = await this.#folder.open(reserveName);
      this.#size = (await this.#folder.size(reserveName)) ?? 0;
    }
    return this.#file;
  }
}

/** What no file system can compress: otherwise a reserve of zeros would take no space. */
const filler: Uint8Array = createFiller(4 * stepBytes);

function createFiller(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = 0x2545f491;
  for (let index = 0; index < size; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state;
  }
  return bytes;
}
