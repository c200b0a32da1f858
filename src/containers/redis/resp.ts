import type { ByteSource } from '../../env/index.ts';

/** The protocol of Redis, version 2. Strings have one character per byte. */
export type Reply = number | string | null | SimpleString | ErrorReply | readonly Reply[];

export class SimpleString {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class ErrorReply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const ok: SimpleString = new SimpleString('OK');

export const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

export function stringOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function formatReply(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  if (reply instanceof SimpleString) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.text}\r\n`;
  return `*${reply.length}\r\n${reply.map(formatReply).join('')}`;
}

/** Bytes that do not follow the protocol. */
export class ProtocolError extends Error {}

/** A longer request ends its connection. */
const maxRequest = 64 * 1024 * 1024;

/** Reads replies, or commands, from a connection. */
export class RespReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #text = '';

  constructor(source: ByteSource) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** The next reply; undefined at the end. @throws ProtocolError */
  async reply(): Promise<Reply | undefined> {
    const line = await this.#line();
    if (line === undefined) return undefined;
    const rest = line.slice(1);
    switch (line[0]) {
      case '+':
        return new SimpleString(rest);
      case '-':
        return new ErrorReply(rest);
      case ':':
        return Number(rest);
      case '$':
        return Number(rest) < 0 ? null : this.#exactly(Number(rest));
      case '*':
        return Number(rest) < 0 ? null : this.#array(Number(rest));
      default:
        throw new ProtocolError(`Protocol error, got ${JSON.stringify(line[0] ?? '')} as reply type byte`);
    }
  }

  /** The words of the next command, as an array or on a line; undefined at the end. @throws ProtocolError */
  async command(): Promise<readonly string[] | undefined> {
    const line = await this.#line();
    if (line === undefined) return undefined;
    if (!line.startsWith('*')) return line.split(/\s+/).filter((word) => word !== '');
    const count = Number(line.slice(1));
    if (!Number.isInteger(count) || count > 1024 * 1024) throw new ProtocolError('Protocol error: invalid multibulk length');
    const words: string[] = [];
    for (let at = 0; at < count; at++) {
      const head = await this.#line();
      if (head === undefined) return undefined;
      const length = Number(head.slice(1));
      if (!head.startsWith('$')) throw new ProtocolError(`Protocol error: expected '$', got '${head[0] ?? ''}'`);
      if (!Number.isInteger(length) || length < 0 || length > maxRequest) throw new ProtocolError('Protocol error: invalid bulk length');
      words.push(await this.#exactly(length));
    }
    return words;
  }

  async #array(count: number): Promise<readonly Reply[]> {
    const replies: Reply[] = [];
    for (let at = 0; at < count; at++) replies.push((await this.reply()) ?? null);
    return replies;
  }

  async #line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end).replace(/\r$/, '');
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      if (!(await this.#readMore())) return undefined;
    }
  }

  async #exactly(length: number): Promise<string> {
    while (this.#text.length < length + 2) if (!(await this.#readMore())) break;
    const text = this.#text.slice(0, length);
    this.#text = this.#text.slice(length + 2);
    return text;
  }

  async #readMore(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    if (this.#text.length + value.length > maxRequest) throw new ProtocolError('Protocol error: too big request');
    this.#text += stringOf(value);
    return true;
  }
}
