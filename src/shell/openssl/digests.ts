import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { CHash } from '@noble/hashes/utils.js';
import { bytesToHex } from '../../meta/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readInput, writeOutput } from './files.ts';
import { type Arguments, readArguments, usageError } from './options.ts';

interface Digest {
  readonly hash: CHash;
  /** The name in the output. */
  readonly shownName: string;
}

const digests: Readonly<Record<string, Digest>> = {
  md5: { hash: md5, shownName: 'MD5' },
  sha1: { hash: sha1, shownName: 'SHA1' },
  sha224: { hash: sha224, shownName: 'SHA2-224' },
  sha256: { hash: sha256, shownName: 'SHA2-256' },
  sha384: { hash: sha384, shownName: 'SHA2-384' },
  sha512: { hash: sha512, shownName: 'SHA2-512' },
};

export const digestNames: readonly string[] = Object.keys(digests);

/** The digest that an option names. @throws CommandError */
export function findDigest({ command, digest }: Arguments, byDefault: string): Digest {
  const name = digest ?? byDefault;
  const found = digests[name.toLowerCase()];
  if (found) return found;
  throw command === 'x509' ? new CommandError('Unknown digest') : usageError(command, `Unknown option or message digest: ${name}`);
}

/** `openssl dgst -sha256 FILE…`, and `openssl sha256 FILE…`. */
export async function printDigests(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, { flags: 'r binary hex c', values: 'out hmac', digests: true });
  const { hash, shownName } = findDigest(parsed, call.name === 'dgst' ? 'sha256' : call.name);
  const key = parsed.value('hmac');
  // The default has another name in the output.
  const isDefault = call.name === 'dgst' && parsed.digest === undefined;
  const name = `${key === undefined ? '' : 'HMAC-'}${isDefault ? shownName.replace('SHA2-', 'SHA') : shownName}`;
  let [code, text, raw]: [number, string, Uint8Array | undefined] = [0, '', undefined];
  for (const file of parsed.words.length === 0 ? [undefined] : parsed.words) {
    const content = await readInput(call, file);
    if (!content) {
      call.err(`${file}: No such file or directory\n`);
      code = 1;
      continue;
    }
    const bytes = key === undefined ? hash(content) : hmac(hash, new TextEncoder().encode(key), content);
    if (parsed.has('binary')) raw = bytes;
    else if (parsed.has('r')) text += `${bytesToHex(bytes)} *${file ?? 'stdin'}\n`;
    else text += `${name}(${file ?? 'stdin'})= ${formatDigest(bytes, parsed.has('c'))}\n`;
  }
  await writeOutput(call, parsed.value('out'), raw ?? text);
  return code;
}

const formatDigest = (bytes: Uint8Array, withColons: boolean): string => bytesToHex(bytes).replace(/..(?!$)/g, withColons ? '$&:' : '$&');
