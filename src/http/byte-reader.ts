import type { ByteSource } from '../env/index.ts';
import { concatBytes } from '../meta/index.ts';
import { HttpError } from './message.ts';

const lineFeed = 10;

/** Reads a source in lines and in pieces of a wanted length. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: ByteSource) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  /** Exactly `length` bytes; undefined when the source ends before. */
  async read(length: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length < length) if (!(await this.#fill(length))) return undefined;
    return this.#take(length);
  }

  /** At most `length` bytes, as soon as there are some; undefined at the end. */
  async readSome(length: number): Promise<Uint8Array | undefined> {
    if (this.#rest.length === 0 && !(await this.#fill(1))) return undefined;
    return this.#take(Math.min(length, this.#rest.length));
  }

  /** The next line without its end; undefined when the source ends before. @throws HttpError when it is longer */
  async readLine(maxLength: number): Promise<string | undefined> {
    let end = this.#rest.indexOf(lineFeed);
    while (end < 0) {
      const from = this.#rest.length;
      if (from > maxLength) throw new HttpError('line is too long');
      if (!(await this.#fill(from + 1))) return undefined;
      end = this.#rest.indexOf(lineFeed, from);
    }
    const line = new TextDecoder('latin1').decode(this.#take(end + 1));
    return line.replace(/\r?\n$/, '');
  }

  /** All that follows. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (let bytes = await this.readSome(Number.MAX_SAFE_INTEGER); bytes; bytes = await this.readSome(Number.MAX_SAFE_INTEGER)) yield bytes;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  #take(length: number): Uint8Array {
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return bytes;
  }

  /** Reads until `length` bytes are there; false at the end. */
  async #fill(length: number): Promise<boolean> {
    const parts = [this.#rest];
    let size = this.#rest.length;
    let isEnded = false;
    while (size < length && !isEnded) {
      const { done, value } = await this.#iterator.next();
      isEnded = done === true;
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    this.#rest = concatBytes(parts);
    return !isEnded;
  }
}
