import type { ByteSink, ByteSource } from '../../env/index.ts';
import { ByteReader } from '../../http/index.ts';
import { concatBytes } from '../../meta/index.ts';

/** A message of the protocol, version 3: a letter and its content. */
export interface Message {
  readonly type: string;
  readonly content: Uint8Array;
}

/** The first message of a client has no letter. */
export const protocolVersion = 196_608;
export const sslRequest = 80_877_103;

/** A longer message ends the connection. */
const maxMessage = 64 * 1024 * 1024;

/** Writes the content of a message. */
export class ContentWriter {
  readonly #parts: Uint8Array[] = [];

  int16(value: number): this {
    return this.#integer(2, (view) => view.setInt16(0, value));
  }

  int32(value: number): this {
    return this.#integer(4, (view) => view.setInt32(0, value));
  }

  /** A text that ends with a zero. */
  text(text: string): this {
    return this.bytes(new TextEncoder().encode(`${text}\0`));
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  /** The content with its letter and length. */
  message(type: string): Uint8Array {
    const content = concatBytes(this.#parts);
    const head = new Uint8Array(type.length + 4);
    if (type !== '') head[0] = type.charCodeAt(0);
    new DataView(head.buffer).setInt32(type.length, content.length + 4);
    return concatBytes([head, content]);
  }

  #integer(size: number, set: (view: DataView) => void): this {
    const bytes = new Uint8Array(size);
    set(new DataView(bytes.buffer));
    return this.bytes(bytes);
  }
}

/** Reads the content of a message. */
export class ContentReader {
  readonly #content: Uint8Array;
  #at = 0;

  constructor(content: Uint8Array) {
    this.#content = content;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#content.length;
  }

  int16(): number {
    return this.#view(2).getInt16(0);
  }

  int32(): number {
    return this.#view(4).getInt32(0);
  }

  text(): string {
    const end = this.#content.indexOf(0, this.#at);
    const bytes = this.#content.subarray(this.#at, end < 0 ? this.#content.length : end);
    this.#at += bytes.length + 1;
    return new TextDecoder().decode(bytes);
  }

  bytes(length: number): Uint8Array {
    const bytes = this.#content.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }

  #view(size: number): DataView {
    const bytes = this.bytes(size);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

/** Reads the messages of a connection. */
export class MessageReader {
  readonly #bytes: ByteReader;

  constructor(source: ByteSource) {
    this.#bytes = new ByteReader(source);
  }

  /** Undefined at the end. */
  async first(): Promise<Uint8Array | undefined> {
    return (await this.#read(0))?.content;
  }

  async next(): Promise<Message | undefined> {
    return this.#read(1);
  }

  async #read(letters: 0 | 1): Promise<Message | undefined> {
    const head = await this.#bytes.read(letters + 4);
    if (!head) return undefined;
    const length = new DataView(head.buffer, head.byteOffset).getInt32(letters) - 4;
    if (length < 0 || length > maxMessage) return undefined;
    const content = await this.#bytes.read(length);
    return content && { type: letters === 0 ? '' : String.fromCharCode(head[0] ?? 0), content };
  }
}

export const send = (sink: ByteSink, type: string, content: ContentWriter = new ContentWriter()): Promise<void> =>
  sink.write(content.message(type));
