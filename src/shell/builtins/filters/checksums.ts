import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { CHash } from '@noble/hashes/utils.js';
import { bytesToHex } from '../../../meta/index.ts';
import type { Invocation, Program } from '../../context.ts';
import type { Options } from '../options.ts';
import { cannotOpen, forEachInput, linesIn, nameOf, readArguments, usageError, withoutBreak } from './inputs.ts';

async function digestOf(hash: CHash, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const state = hash.create();
  for await (const piece of pieces) state.update(piece);
  return bytesToHex(state.digest());
}

const createSum =
  (hash: CHash): Program =>
  async (call) => {
    const options = readArguments(call, 'cswbt', { check: 'c', status: 's', warn: 'w', binary: 'b', text: 't' });
    const { has, words } = options;
    if (!has('c') && (has('s') || has('w'))) throw usageError(call, '[-c[sw]] [FILE]...');
    if (has('c')) return checkLists(hash, options, call);
    const print = async (pieces: AsyncIterable<Uint8Array>, name: string): Promise<void> =>
      call.out(`${await digestOf(hash, pieces)}  ${name}\n`);
    return forEachInput(words, call, print, cannotOpen);
  };

/** Checks the files in lists such as the program prints. */
async function checkLists(hash: CHash, { words, has }: Options, call: Invocation): Promise<number> {
  const { err } = call;
  let hasFailed = false;
  const check = async (pieces: AsyncIterable<Uint8Array>, list: string): Promise<void> => {
    const counts = { all: 0, failed: 0 };
    for await (const line of linesIn(pieces)) {
      counts.all++;
      if (!(await checkLine(hash, withoutBreak(line), has, call))) counts.failed++;
    }
    hasFailed ||= counts.failed > 0 || counts.all === 0;
    const name = nameOf(call);
    if (counts.all === 0) err(`${name}: ${list}: no checksum lines found\n`);
    else if (counts.failed > 0 && !has('s')) err(`${name}: WARNING: ${counts.failed} of ${counts.all} computed checksums did NOT match\n`);
  };
  const code = await forEachInput(words, call, check, cannotOpen);
  return hasFailed ? 1 : code;
}

/** `DIGEST  NAME`, or `DIGEST *NAME`. */
async function checkLine(hash: CHash, line: string, has: Options['has'], call: Invocation): Promise<boolean> {
  const [, expected, file] = /^(\S+) [ *](.*)$/.exec(line) ?? [];
  if (expected === undefined || file === undefined) {
    if (has('w')) call.err(`${nameOf(call)}: invalid format\n`);
    return false;
  }
  let isEqual = false;
  const compare = async (pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    isEqual = (await digestOf(hash, pieces)) === expected.toLowerCase();
  };
  await forEachInput([file], call, compare, cannotOpen);
  if (!has('s')) call.out(`${file}: ${isEqual ? 'OK' : 'FAILED'}\n`);
  return isEqual;
}

const polynomial = 0x04c11db7;

let table: Int32Array | undefined;

function crcTable(): Int32Array {
  table ??= Int32Array.from({ length: 256 }, (_, index) => {
    let crc = index << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ polynomial : crc << 1;
    return crc;
  });
  return table;
}

/** The checksum of POSIX: a CRC of the bytes and of their number. */
const cksum: Program = async (call) => {
  const { words } = readArguments(call, '');
  const crcs = crcTable();
  const print = async (pieces: AsyncIterable<Uint8Array>, name: string): Promise<void> => {
    let crc = 0;
    let size = 0;
    const add = (byte: number): void => {
      crc = (crc << 8) ^ (crcs[(crc >>> 24) ^ byte] ?? 0);
    };
    for await (const piece of pieces) {
      size += piece.length;
      for (const byte of piece) add(byte);
    }
    for (let length = size; length > 0; length = Math.floor(length / 256)) add(length % 256);
    call.out(`${~crc >>> 0} ${size}${words.length === 0 ? '' : ` ${name}`}\n`);
  };
  return forEachInput(words, call, print);
};

export const checksums: Readonly<Record<string, Program>> = {
  cksum,
  md5sum: createSum(md5),
  sha1sum: createSum(sha1),
  sha256sum: createSum(sha256),
  sha512sum: createSum(sha512),
};
