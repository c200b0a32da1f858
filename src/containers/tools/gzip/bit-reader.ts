import { concatBytes } from '../../../meta/index.ts';

/** The input has ended too early, or is no valid gzip file. */
export class GzipError extends Error {}

/** Bytes that are read ahead. */
const aheadBytes = 4096;

/** Reads bits of a stream, the lowest of a byte first. The stream is read with `fill`; everything else needs no waiting. */
export class BitReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array();
  #at = 0;
  #bits = 0;
  #count = 0;
  #hasEnded = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Whether `needed` bytes can be read without waiting, or the stream has ended. */
  isFilled(needed: number): boolean {
    return this.#hasEnded || this.#buffer.length - this.#at >= needed;
  }

  async fill(needed: number): Promise<void> {
    if (this.isFilled(needed)) return;
    const parts = [this.#buffer.subarray(this.#at)];
    for (let left = needed + aheadBytes - (this.#buffer.length - this.#at); left > 0 && !this.#hasEnded; ) {
      const { value, done } = await this.#pieces.next();
      if (done === true) this.#hasEnded = true;
      else {
        parts.push(value);
        left -= value.length;
      }
    }
    this.#buffer = concatBytes(parts);
    this.#at = 0;
  }

  /** Whether all bytes have been read. */
  get isAtEnd(): boolean {
    return this.#hasEnded && this.#at === this.#buffer.length;
  }

  /** @throws GzipError at the end */
  byte(): number {
    const byte = this.#buffer[this.#at++];
    if (byte === undefined) throw new GzipError('unexpected end of file');
    return byte;
  }

  /** At most 16. */
  bits(count: number): number {
    while (this.#count < count) {
      this.#bits |= this.byte() << this.#count;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  /** Drops the rest of a byte. */
  align(): void {
    this.#bits = 0;
    this.#count = 0;
  }

  /** A number of bytes, the lowest first. */
  number(bytes: number): number {
    let value = 0;
    for (let at = 0; at < bytes; at++) value += this.byte() * 256 ** at;
    return value;
  }
}
