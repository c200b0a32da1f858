import { createSigningRequest } from '../../x509/encoding/index.ts';
import { createCertificate, formatPem, type NewExtension, readCertificate, readSigningRequest } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { hasValidSignature, readRequestFile, signingHash } from './certificate-files.ts';
import { type Configuration, type ConfigurationEntry, entryOf, parseConfiguration } from './configuration.ts';
import { defaultConfiguration } from './default-configuration.ts';
import { chooseNameFormat, type NameFormatter, parseSubject } from './distinguished-names.ts';
import { addExtensions, addKeyIdentifiers, type ExtensionContext, ExtensionError } from './extensions.ts';
import { encodeOutput, joinOutputs, readTextFile, writeOutput } from './files.ts';
import { formatPrivateKey, minBits, progress, readKeyParameters } from './generate-key.ts';
import { keyCipherOfRequests } from './key-encryption.ts';
import { generateKey, type KeyParameters, modulusLine, type PrivateKey, readPrivateKey, signingKey } from './keys.ts';
import { type Arguments, readArguments, rejectWords } from './options.ts';
import { printCertificate, printRequest } from './print-certificate.ts';
import { nameOfSection, promptSubject } from './request-subject.ts';
import { createSerialNumber, givenSerialNumber } from './serial-numbers.ts';

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;

/** `openssl req`: creates, prints and verifies certificate requests, and creates self-signed certificates. */
export async function request(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, {
    flags: 'new x509 nodes noenc text noout verify subject pubkey modulus batch utf8 newhdr multivalue-rdn verbose',
    values:
      'in inform out outform key keyform keyout newkey pkeyopt subj addext config section extensions reqexts set_serial passin passout nameopt reqopt sigopt',
    numbers: 'days',
    digests: true,
  });
  rejectWords(parsed);
  givenSerialNumber(parsed);
  const formatSubject = chooseNameFormat(parsed);
  const creates = parsed.has('new') || parsed.has('newkey') || (parsed.has('x509') && !parsed.has('in'));
  const output = creates ? await createOutput(call, parsed) : await readRequest(call, parsed);
  if (parsed.has('verify') && !parsed.has('x509')) await verifyRequest(call, output.der);
  await writeOutput(call, parsed.value('out'), formatOutput(output, parsed, formatSubject));
  return 0;
}

/** A request or certificate. */
interface Output {
  readonly type: 'CERTIFICATE REQUEST' | 'CERTIFICATE';
  readonly der: Uint8Array;
}

async function readRequest(call: Invocation, parsed: Arguments): Promise<Output> {
  const { der, request: read } = await readRequestFile(call, parsed.value('in'));
  if (!parsed.has('x509')) return { type: 'CERTIFICATE REQUEST', der };
  const configuration = await openConfiguration(call, parsed);
  const key = await readPrivateKey(call, keyFileOf(parsed));
  return createSelfSigned(call, parsed, { configuration, key, subject: read.subject });
}

async function verifyRequest(call: Invocation, der: Uint8Array): Promise<void> {
  if (!(await hasValidSignature(call, readSigningRequest(der))))
    throw new CommandError('Certificate request self-signature verify failure');
  call.err('Certificate request self-signature verify OK\n');
}

function formatOutput({ type, der }: Output, parsed: Arguments, formatSubject: NameFormatter): string | Uint8Array {
  const { spki, key, subject } = type === 'CERTIFICATE' ? readCertificate(der) : readSigningRequest(der);
  const outputs: (string | Uint8Array)[] = [];
  if (parsed.has('pubkey')) outputs.push(formatPem('PUBLIC KEY', spki));
  if (parsed.has('text')) {
    outputs.push(
      type === 'CERTIFICATE'
        ? printCertificate(readCertificate(der), { formatSubject, omitted: new Set() })
        : printRequest(readSigningRequest(der), formatSubject),
    );
  }
  if (parsed.has('subject')) outputs.push(`subject=${formatSubject(subject)}\n`);
  if (parsed.has('modulus')) outputs.push(modulusLine(key, 'Wrong Algorithm type'));
  const header = parsed.has('newhdr') && type !== 'CERTIFICATE' ? `NEW ${type}` : type;
  if (!parsed.has('noout')) outputs.push(encodeOutput(header, der, parsed.value('outform')));
  return joinOutputs(outputs);
}

async function createOutput(call: Invocation, parsed: Arguments): Promise<Output> {
  const configuration = await openConfiguration(call, parsed);
  const extraEntries = readAddedExtensions(call, parsed);
  const key = await openKey(call, parsed, configuration);
  const subject = await chooseSubject(call, parsed, configuration);
  if (parsed.has('x509')) return createSelfSigned(call, parsed, { configuration, key, subject: subject.name, extraEntries });
  const section = parsed.value('reqexts') ?? parsed.value('extensions') ?? entryOf(configuration, sectionOf(parsed), 'req_extensions');
  const context: ExtensionContext = { configuration, spki: key.spki, issuer: undefined };
  const extensions = await collectExtensions(section, extraEntries, context);
  const hash = signingHash(parsed, digestName(parsed, configuration), key);
  const signer = await signingKey(call, key, hash);
  return {
    type: 'CERTIFICATE REQUEST',
    der: await createSigningRequest({ subject: subject.name, spki: key.spki, extensions, attributes: subject.attributes }, signer, hash),
  };
}

const sectionOf = (parsed: Arguments): string => parsed.value('section') ?? 'req';
const digestName = (parsed: Arguments, configuration: Configuration): string | undefined =>
  parsed.digest ?? entryOf(configuration, sectionOf(parsed), 'default_md')?.replace('default', 'sha256');

const keyFileOf = (parsed: Arguments): Parameters<typeof readPrivateKey>[1] => ({
  name: parsed.value('key'),
  what: 'private key',
  passphrase: parsed.value('passin'),
});

async function openConfiguration(call: Invocation, parsed: Arguments): Promise<Configuration> {
  const file = parsed.value('config');
  return parseConfiguration(file === undefined ? defaultConfiguration : await readTextFile(call, file), file ?? 'openssl.cnf');
}

/** Entries of the options `-addext`. @throws CommandError */
function readAddedExtensions({ name }: Invocation, parsed: Arguments): readonly ConfigurationEntry[] {
  const names = new Set<string>();
  return parsed.values('addext').map((text): ConfigurationEntry => {
    const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
    if (key === '' || names.has(key.trim())) {
      throw new CommandError(`Duplicate extension: ${text}\n${name}: Use -help for summary.`);
    }
    names.add(key.trim());
    return [key.trim(), value.trim()];
  });
}

/** The extensions of a section of the configuration, and those of options. @throws CommandError */
async function collectExtensions(
  section: string | undefined,
  extraEntries: readonly ConfigurationEntry[],
  context: ExtensionContext,
): Promise<readonly NewExtension[]> {
  const added = (
    entries: readonly ConfigurationEntry[],
    present: readonly NewExtension[],
    failure: string,
  ): Promise<readonly NewExtension[]> =>
    addExtensions(present, entries, context).catch((error: unknown) => {
      throw error instanceof ExtensionError ? new CommandError(`${failure}\n${error.message}`) : error;
    });
  const failure = `Error checking ${context.issuer ? 'x509' : 'request'} extension section ${section}`;
  const entries = section === undefined ? [] : context.configuration.get(section);
  if (!entries) throw new CommandError(failure);
  return added(extraEntries, await added(entries, [], failure), 'Error checking extensions defined using -addext');
}

interface SelfSigned {
  readonly configuration: Configuration;
  readonly key: PrivateKey;
  /** Name, in DER. */
  readonly subject: Uint8Array;
  readonly extraEntries?: readonly ConfigurationEntry[];
}

/** A certificate that is signed with its own key. */
async function createSelfSigned(
  call: Invocation,
  parsed: Arguments,
  { configuration, key, subject, extraEntries = [] }: SelfSigned,
): Promise<Output> {
  const serialNumber = givenSerialNumber(parsed) ?? createSerialNumber(call);
  const issuer = { spki: key.spki, name: subject, serialNumber, keyIdentifier: undefined, isSubject: true };
  const context = { configuration, spki: key.spki, issuer };
  const section = parsed.value('extensions') ?? entryOf(configuration, sectionOf(parsed), 'x509_extensions');
  const extensions = await addKeyIdentifiers(await collectExtensions(section, extraEntries, context), context);
  const notBeforeMs = call.shell.clock.nowMs();
  const notAfterMs = notBeforeMs + (parsed.number('days') ?? defaultDays) * dayMs;
  const hash = signingHash(parsed, digestName(parsed, configuration), key);
  const signer = { name: subject, key: await signingKey(call, key, hash), hash };
  const der = await createCertificate({ serialNumber, subject, spki: key.spki, notBeforeMs, notAfterMs, extensions }, signer);
  return { type: 'CERTIFICATE', der };
}

/** The key of the option `-key`, or a new one, which is written. */
async function openKey(call: Invocation, parsed: Arguments, configuration: Configuration): Promise<PrivateKey> {
  if (parsed.has('key') && !parsed.has('newkey')) return readPrivateKey(call, keyFileOf(parsed));
  const parameters = readNewKey(call, parsed, entryOf(configuration, sectionOf(parsed), 'default_bits') ?? '2048');
  const key = await generateKey(call, parameters);
  if ('bits' in parameters) call.err(progress);
  const encrypts = !parsed.has('nodes') && !parsed.has('noenc') && entryOf(configuration, sectionOf(parsed), 'encrypt_key') !== 'no';
  const file = parsed.value('keyout') ?? entryOf(configuration, sectionOf(parsed), 'default_keyfile') ?? 'privkey.pem';
  await writeOutput(call, file, await formatPrivateKey(call, key, parsed, encrypts ? keyCipherOfRequests : undefined));
  call.err('-----\n');
  return key;
}

/** `rsa:2048`, `rsa`, `ec` with `-pkeyopt`, `ed25519`, or a number of bits. @throws CommandError */
function readNewKey({ name }: Invocation, parsed: Arguments, defaultBits: string): KeyParameters {
  const text = parsed.value('newkey') ?? `rsa:${defaultBits}`;
  const [algorithm = '', parameter] = /^\d+$/.test(text) ? ['rsa', text] : text.split(/:(.*)/, 2);
  const isRsa = algorithm.toLowerCase() === 'rsa';
  if ((algorithm === 'ec' && parameter !== undefined) || (isRsa && parameter !== undefined && !/^\d+$/.test(parameter)))
    throw new CommandError(`Cannot open parameter file ${parameter}`);
  if (isRsa && Number(parameter ?? defaultBits) < minBits) throw new CommandError('Error setting keysize');
  const options = isRsa ? [`rsa_keygen_bits:${parameter ?? defaultBits}`, ...parsed.values('pkeyopt')] : parsed.values('pkeyopt');
  const parameters = readKeyParameters(algorithm, options, name);
  if (!parameters) throw new CommandError('Error allocating keygen context');
  return parameters;
}

interface Subject {
  readonly name: Uint8Array;
  /** Attributes of the request, in DER. */
  readonly attributes: readonly Uint8Array[];
}

async function chooseSubject(call: Invocation, parsed: Arguments, configuration: Configuration): Promise<Subject> {
  const text = parsed.value('subj');
  if (text !== undefined) {
    // Without the option, each byte is a character.
    const characters = parsed.has('utf8') ? text : String.fromCharCode(...new TextEncoder().encode(text));
    return { name: parseSubject(characters, call.name, call.err), attributes: [] };
  }
  const place = { configuration, section: sectionOf(parsed), withAttributes: !parsed.has('x509') };
  const isInteractive = entryOf(configuration, place.section, 'prompt') !== 'no' && !parsed.has('batch');
  return isInteractive ? promptSubject(call, place) : { name: nameOfSection(place), attributes: [] };
}
