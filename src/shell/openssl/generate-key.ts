import { encodeObjectIdentifier } from '../../x509/encoding/index.ts';
import { formatPem } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { encodeOutput, joinOutputs, writeOutput } from './files.ts';
import { encryptKey, findCipher, type KeyCipher } from './key-encryption.ts';
import { curveOf, curves, generateKey, type KeyParameters, type PrivateKey, traditionalKey } from './keys.ts';
import { type Arguments, readArguments, usageError } from './options.ts';
import { promptNewPassphrase, readPassphrase } from './prompts.ts';

const defaultBits = 2048;
/** Of RSA keys. */
export const minBits = 512;
const maxBits = 16_384;

/** `openssl genrsa -out FILE 3072`. */
export async function generateRsaKey(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, { flags: '3 F4 f4 verbose traditional', values: 'out passout rand', digests: true });
  const { words } = parsed;
  if (words.length > 1) throw new CommandError(`Extra arguments given.\n${call.name}: Use -help for summary.`);
  const cipher = findCipher(parsed);
  const [bits = String(defaultBits)] = words;
  if (!/^\d+$/.test(bits)) throw new CommandError(`${call.name}: Can't parse "${bits}" as a number`);
  if (Number(bits) < minBits || Number(bits) > maxBits) throw new CommandError('Error setting RSA length');
  if (parsed.has('verbose')) call.err(`Generating RSA key with ${bits} bits\n`);
  const key = await generateKey(call, { name: 'RSASSA-PKCS1-v1_5', bits: Number(bits) });
  if (parsed.has('verbose')) call.err(`${progress}e is 65537 (0x010001)\n`);
  const text = parsed.has('traditional') && !cipher ? formatTraditional(key) : await formatPrivateKey(call, key, parsed, cipher);
  await writeOutput(call, parsed.value('out'), text, `${call.name}: `);
  return 0;
}

/** The progress of the search for two primes. */
export const progress: string = '.....+..+...+......+'.concat('+'.repeat(64), '*..+.....+...+', '+'.repeat(64), '*...+....\n').repeat(2);

const formatTraditional = (key: PrivateKey): string => {
  const { type, der } = traditionalKey(key);
  return formatPem(type, der);
};

/** The key in PEM; encrypted with the passphrase of `-passout`, or one that the user types. */
export async function formatPrivateKey(
  call: Invocation,
  key: PrivateKey,
  parsed: Arguments,
  cipher: KeyCipher | undefined,
): Promise<string> {
  if (!cipher) return formatPem('PRIVATE KEY', key.pkcs8);
  const passphrase = (await readPassphrase(call, parsed.value('passout'))) ?? (await promptNewPassphrase(call));
  return formatPem('ENCRYPTED PRIVATE KEY', await encryptKey(call, key.pkcs8, passphrase, cipher));
}

/** `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`. */
export async function generatePrivateKey(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, {
    flags: 'quiet',
    values: 'out outform algorithm pkeyopt pass passout',
    digests: true,
  });
  const algorithm = parsed.value('algorithm');
  if (algorithm === undefined || parsed.words.length > 0) throw usageError(call.name, '');
  const cipher = findCipher(parsed);
  const parameters = readKeyParameters(algorithm, parsed.values('pkeyopt'), call.name);
  if (!parameters) throw new CommandError(`Error initializing ${algorithm} context`);
  const key = await generateKey(call, parameters);
  if ('bits' in parameters && !parsed.has('quiet')) call.err(progress);
  const isDer = /^d/i.test(parsed.value('outform') ?? '');
  await writeOutput(call, parsed.value('out'), isDer ? key.pkcs8 : await formatPrivateKey(call, key, parsed, cipher), `${call.name}: `);
  return 0;
}

/** The parameters of an algorithm with options such as `rsa_keygen_bits:2048`; undefined for unknown algorithms. @throws CommandError */
export function readKeyParameters(algorithm: string, options: readonly string[], command: string): KeyParameters | undefined {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    rsa: ['rsa_keygen_bits', 'bits'],
    ec: ['ec_paramgen_curve', 'group', 'ec_param_enc'],
    ed25519: [],
  };
  const type = algorithm.toLowerCase();
  const names = allowed[type];
  if (!names) return undefined;
  const given = new Map(options.map((option) => option.split(/:(.*)/, 2) as [string, string]));
  const unknown = options.find((option) => !names.includes(option.split(':', 1)[0] ?? ''));
  if (unknown !== undefined) throw new CommandError(`${command}: Error setting ${unknown} parameter:`);
  if (type === 'ed25519') return { name: 'Ed25519' };
  if (type === 'rsa') {
    const bits = Number(given.get('rsa_keygen_bits') ?? given.get('bits') ?? defaultBits);
    if (!(bits >= minBits && bits <= maxBits)) throw new CommandError(`${command}: Error setting ${options.at(-1)} parameter:`);
    return { name: 'RSASSA-PKCS1-v1_5', bits };
  }
  const namedCurve = curveOf(given.get('ec_paramgen_curve') ?? given.get('group') ?? '');
  if (namedCurve === undefined) throw new CommandError(`${command}: Error generating EC key`);
  return { name: 'ECDSA', namedCurve };
}

/** `openssl ecparam -name prime256v1 -genkey -noout`. */
export async function generateCurveKey(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, {
    flags: 'genkey noout list_curves text check',
    values: 'name out outform param_enc conv_form',
  });
  if (parsed.words.length > 0) throw usageError(call.name, '');
  if (parsed.has('list_curves')) {
    const lines = curveDescriptions.map(([name, text]) => `  ${name.padEnd(10)}: ${text}\n`);
    await writeOutput(call, parsed.value('out'), lines.join(''));
    return 0;
  }
  const name = parsed.value('name');
  if (name === undefined) throw new CommandError('Unable to load parameters from <NULL>');
  const namedCurve = curveOf(name);
  const curve = curves[namedCurve ?? ''];
  if (namedCurve === undefined || !curve) throw new CommandError('unable to generate key');
  const outputs: (string | Uint8Array)[] = [];
  const form = parsed.value('outform');
  if (!parsed.has('noout')) outputs.push(encodeOutput('EC PARAMETERS', encodeObjectIdentifier(curve.id), form));
  if (parsed.has('genkey')) {
    const { type, der } = traditionalKey(await generateKey(call, { name: 'ECDSA', namedCurve }));
    outputs.push(encodeOutput(type, der, form));
  }
  await writeOutput(call, parsed.value('out'), joinOutputs(outputs), `${call.name}: `);
  return 0;
}

const curveDescriptions: readonly (readonly [string, string])[] = [
  ['secp384r1', 'NIST/SECG curve over a 384 bit prime field'],
  ['secp521r1', 'NIST/SECG curve over a 521 bit prime field'],
  ['prime256v1', 'X9.62/SECG curve over a 256 bit prime field'],
];
