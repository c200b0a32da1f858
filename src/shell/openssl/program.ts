import { bytesToBase64, bytesToHex, decodeBase64 } from '../../meta/index.ts';
import type { Invocation, Program } from '../context.ts';
import { certificate } from './certificate-command.ts';
import { digestNames, printDigests } from './digests.ts';
import { readInputFile, writeOutput } from './files.ts';
import { generateCurveKey, generatePrivateKey, generateRsaKey } from './generate-key.ts';
import { convertKey } from './key-commands.ts';
import { readArguments, rejectWords, usageError } from './options.ts';
import { randomBytes } from './random-bytes.ts';
import { request } from './request-command.ts';
import { verifyCertificates } from './verify-command.ts';

/** The version whose output the commands have. */
const version = 'OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)';

const commands: Readonly<Record<string, Program>> = {
  dgst: printDigests,
  ec: convertKey,
  ecparam: generateCurveKey,
  enc: encodeBase64,
  genpkey: generatePrivateKey,
  genrsa: generateRsaKey,
  help: printHelp,
  pkey: convertKey,
  rand: printRandomBytes,
  req: request,
  rsa: convertKey,
  verify: verifyCertificates,
  version: printVersion,
  x509: certificate,
};

const programs: Readonly<Record<string, Program>> = {
  ...commands,
  ...Object.fromEntries(digestNames.map((name) => [name, printDigests])),
  base64: encodeBase64,
};

/** `openssl`, with the commands that certificates for Kubernetes need. */
export async function openssl(call: Invocation): Promise<number> {
  const [name = 'help', ...args] = call.args;
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program) return program({ ...call, name, args });
  call.err(`Invalid command '${name}'; type "help" for a list.\n`);
  return 1;
}

function printHelp({ err }: Invocation): number {
  err(`help:\n\nStandard commands\n${columns(Object.keys(commands))}\n`);
  err(`Message Digest commands (see the \`dgst' command for more details)\n${columns(digestNames)}\n`);
  err(`Cipher commands (see the \`enc' command for more details)\n${columns(['base64'])}\n`);
  return 0;
}

const [columnCount, columnWidth] = [4, 18];

function columns(names: readonly string[]): string {
  const cells = names.map((name, index) => `${name.padEnd(columnWidth)}${(index + 1) % columnCount === 0 ? '\n' : ''}`);
  return `${cells.join('')}${names.length % columnCount === 0 ? '' : '\n'}`;
}

function printVersion(call: Invocation): number {
  const parsed = readArguments(call.name, call.args, { flags: 'v a b d e f m o p r c' });
  rejectWords(parsed);
  call.out(`${version}\n`);
  return 0;
}

/** `openssl rand -hex 16`. */
async function printRandomBytes(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, { flags: 'hex base64', values: 'out rand writerand' });
  const [count, ...more] = parsed.words;
  if (more.length > 0 || count === '0') throw usageError(call.name, '');
  if (!/^\d*$/.test(count ?? '')) throw usageError(call.name, `Can't parse "${count}" as a number`);
  const bytes = randomBytes(call, Number(count ?? 0));
  const encoded = parsed.has('hex') ? `${bytesToHex(bytes)}\n` : parsed.has('base64') ? wrapLines(bytesToBase64(bytes)) : bytes;
  await writeOutput(call, parsed.value('out'), encoded);
  return 0;
}

const wrapLines = (text: string): string => text.replace(/.{1,64}/g, '$&\n');

/** `openssl base64`, and `openssl enc -base64`. */
async function encodeBase64(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, { flags: 'e d a A base64', values: 'in out' });
  rejectWords(parsed);
  const isBase64 = call.name === 'base64' || parsed.has('base64') || parsed.has('a');
  if (!isBase64) throw usageError(call.name, 'the only cipher here is -base64');
  const name = parsed.value('in');
  const content = await readInputFile(call, name);
  if (parsed.has('d')) {
    // Invalid text results in no output.
    const decoded = decodeBase64(new TextDecoder().decode(content).replace(/\s/g, ''));
    await writeOutput(call, parsed.value('out'), decoded ?? '');
    return 0;
  }
  const text = bytesToBase64(content);
  await writeOutput(call, parsed.value('out'), parsed.has('A') ? text : wrapLines(text));
  return 0;
}
