import type { Invocation } from '../context.ts';
import { type Arguments, usageError } from './options.ts';
import { randomBytes } from './random-bytes.ts';

const serialBytes = 20;

/** 159 random bits. */
export function createSerialNumber(call: Invocation): Uint8Array {
  const [first = 0, ...others] = randomBytes(call, serialBytes);
  return Uint8Array.of(first & 0x7f, ...others);
}

/** The number of the option `-set_serial`. @throws CommandError */
export function givenSerialNumber(parsed: Arguments): Uint8Array | undefined {
  const text = parsed.value('set_serial');
  if (text === undefined) return undefined;
  if (!/^(?:\d+|0x[\da-fA-F]+)$/.test(text)) throw usageError(parsed.command, '');
  return bytesOfHex(BigInt(text).toString(16));
}

/** At least one byte. */
export const bytesOfHex = (digits: string): Uint8Array =>
  Uint8Array.from((digits.length % 2 === 0 ? digits : `0${digits}`).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
