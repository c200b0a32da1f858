import { readPublicKey, X509Error } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { decodeFile, encodeOutput, joinOutputs, readInput, writeOutput } from './files.ts';
import { formatPrivateKey } from './generate-key.ts';
import { findCipher, type KeyCipher } from './key-encryption.ts';
import { modulusLine, type PrivateKey, readPrivateKey, traditionalKey } from './keys.ts';
import { type Arguments, readArguments, rejectWords } from './options.ts';
import { printPrivateKey, printPublicKey } from './print-keys.ts';

type PublicKeyFile = Pick<PrivateKey, 'spki' | 'publicKey'>;

/** `rsa`, `ec` and `pkey`, which convert and print keys. */
export async function convertKey(call: Invocation): Promise<number> {
  const { name: command } = call;
  const parsed = readArguments(command, call.args, {
    flags: `pubin pubout noout text text_pub check ${command === 'rsa' ? 'modulus traditional' : 'pubcheck traditional no_public'}`,
    values: 'in out inform outform passin passout',
    digests: true,
  });
  rejectWords(parsed);
  const cipher = findCipher(parsed);
  if (command === 'ec') call.err('read EC key\n');
  const key = parsed.has('pubin') ? await readPublicKeyFile(call, parsed.value('in')) : await readKey(call, parsed);
  checkType(command, key);
  const output = parsed.has('noout') ? undefined : await encodeKey(call, key, parsed, cipher);
  const description = describeKey(call, key, parsed);
  // `pkey` prints the key before its description.
  const parts = command === 'pkey' && !parsed.has('check') ? [output ?? '', description] : [description, output ?? ''];
  const isPrivate = 'pkcs8' in key && !parsed.has('pubout');
  await writeOutput(call, parsed.value('out'), joinOutputs(parts), isPrivate ? `${command}: ` : '');
  if (output !== undefined && command !== 'pkey') call.err(`writing ${command.toUpperCase()} key\n`);
  return 0;
}

/** The outputs of the options for reading. */
function describeKey(call: Invocation, key: PrivateKey | PublicKeyFile, parsed: Arguments): string {
  const { name: command } = call;
  let text = '';
  if (parsed.has('check') && command === 'ec') call.err('EC Key valid.\n');
  else if (parsed.has('check') || parsed.has('pubcheck')) text += command === 'rsa' ? 'RSA key ok\n' : 'Key is valid\n';
  const isPublic = !('pkcs8' in key) || parsed.has('text_pub') || (command === 'pkey' && parsed.has('pubout'));
  if (parsed.has('text') || parsed.has('text_pub')) text += isPublic ? printPublicKey(key.publicKey, key.spki) : printPrivateKey(key);
  return parsed.has('modulus') ? text + modulusLine(key.publicKey, '') : text;
}

async function readKey(call: Invocation, parsed: Arguments): Promise<PrivateKey> {
  const what = call.name === 'pkey' ? 'key' : 'private key';
  const consequence = call.name === 'ec' ? '\nunable to load Key' : '';
  return readPrivateKey(call, { name: parsed.value('in'), what, passphrase: parsed.value('passin'), consequence });
}

async function readPublicKeyFile(call: Invocation, name: string | undefined): Promise<PublicKeyFile> {
  const content = await readInput(call, name);
  if (!content) throw new CommandError(`Could not open file or uri for loading public key from ${name}`);
  const spki = decodeFile(content, ['PUBLIC KEY']);
  try {
    const publicKey = spki && readPublicKey(spki);
    if (publicKey) return { spki, publicKey };
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  throw new CommandError(`Could not read public key from ${name ?? '<stdin>'}`);
}

function checkType(command: string, { publicKey }: PublicKeyFile): void {
  if (command === 'rsa' && publicKey.type !== 'rsa') throw new CommandError('Not an RSA key');
}

async function encodeKey(
  call: Invocation,
  key: PrivateKey | PublicKeyFile,
  parsed: Arguments,
  cipher: KeyCipher | undefined,
): Promise<string | Uint8Array> {
  const form = parsed.value('outform');
  if (parsed.has('pubout') || !('pkcs8' in key)) return encodeOutput('PUBLIC KEY', key.spki, form);
  if (cipher) return formatPrivateKey(call, key, parsed, cipher);
  const isTraditional = (call.name === 'ec' || parsed.has('traditional')) && key.publicKey.type !== 'ed25519';
  const { type, der } = isTraditional ? traditionalKey(key) : { type: 'PRIVATE KEY', der: key.pkcs8 };
  return encodeOutput(type, der, form);
}
