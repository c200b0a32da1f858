import {
  createCertificate,
  extensionIds,
  formatPem,
  type NewExtension,
  readAlternativeNames,
  readCertificate,
  requestedExtensions,
} from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { type CertificateFile, hasValidSignature, readCertificateFile, readRequestFile, signingHash } from './certificate-files.ts';
import { type Configuration, entryOf, parseConfiguration } from './configuration.ts';
import { findDigest } from './digests.ts';
import { attributeTexts, chooseNameFormat } from './distinguished-names.ts';
import { extensionNames } from './extension-names.ts';
import { addExtensions, addKeyIdentifiers, type ExtensionContext, ExtensionError, issuerIdentity } from './extensions.ts';
import { encodeOutput, joinOutputs, readInput, readTextFile, writeOutput } from './files.ts';
import { modulusLine, type PrivateKey, readPrivateKey, sameKey, signingKey } from './keys.ts';
import { type Arguments, readArguments, rejectWords } from './options.ts';
import { formatTime, printCertificate, serialHex } from './print-certificate.ts';
import { colonHex, printExtensions } from './print-extensions.ts';
import { bytesOfHex, createSerialNumber, givenSerialNumber } from './serial-numbers.ts';

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;

/** `openssl x509`: prints and converts certificates, and signs requests. */
export async function certificate(call: Invocation): Promise<number> {
  const parsed = readArguments(call.name, call.args, {
    flags:
      'req new text noout subject issuer dates startdate enddate serial fingerprint pubkey modulus email ocsp_uri CAcreateserial clrext force_pubkey preserve_dates',
    values:
      'in inform out outform ext nameopt certopt CA CAkey CAserial CAform CAkeyform signkey key keyform set_serial extfile extensions copy_extensions passin sigopt subj',
    numbers: 'checkend days',
    digests: true,
  });
  rejectWords(parsed);
  givenSerialNumber(parsed);
  const file = parsed.has('req') ? await signRequest(call, parsed) : await signAgain(call, parsed);
  const outputs = parsed.given.map((name) => printers[name]?.({ call, parsed, ...file }) ?? '');
  const checkEnd = parsed.number('checkend');
  const expires = checkEnd !== undefined && file.certificate.notAfterMs < call.shell.clock.nowMs() + checkEnd * 1000;
  if (checkEnd !== undefined) outputs.push(`Certificate will ${expires ? '' : 'not '}expire\n`);
  const encoded = parsed.has('noout') || checkEnd !== undefined ? [] : [encodeOutput('CERTIFICATE', file.der, parsed.value('outform'))];
  await writeOutput(call, parsed.value('out'), joinOutputs([...outputs, ...encoded]));
  return expires ? 1 : 0;
}

interface PrintContext extends CertificateFile {
  readonly call: Invocation;
  readonly parsed: Arguments;
}

/** Outputs by option, which are in the order of the options. */
const printers: Readonly<Record<string, (context: PrintContext) => string>> = {
  text: ({ parsed, certificate }) =>
    printCertificate(certificate, {
      formatSubject: chooseNameFormat(parsed),
      omitted: new Set((parsed.value('certopt') ?? '').split(',')),
    }),
  subject: ({ parsed, certificate }) => `subject=${chooseNameFormat(parsed)(certificate.subject)}\n`,
  issuer: ({ parsed, certificate }) => `issuer=${chooseNameFormat(parsed)(certificate.issuer)}\n`,
  dates: ({ certificate }) => `notBefore=${formatTime(certificate.notBeforeMs)}\nnotAfter=${formatTime(certificate.notAfterMs)}\n`,
  startdate: ({ certificate }) => `notBefore=${formatTime(certificate.notBeforeMs)}\n`,
  enddate: ({ certificate }) => `notAfter=${formatTime(certificate.notAfterMs)}\n`,
  serial: ({ certificate }) => `serial=${serialHex(certificate.serialNumber)}\n`,
  pubkey: ({ certificate }) => formatPem('PUBLIC KEY', certificate.spki),
  modulus: ({ certificate }) => modulusLine(certificate.key, 'No modulus for this public key type'),
  email: printEmailAddresses,
  ext: printNamedExtensions,
  fingerprint({ parsed, der }) {
    const { hash } = findDigest(parsed, 'SHA1');
    return `${parsed.digest ?? 'SHA1'} Fingerprint=${colonHex(hash(der))}\n`;
  },
};

function printEmailAddresses({ certificate }: PrintContext): string {
  const { emailAddresses } = readAlternativeNames(certificate.extensions.get(extensionIds.subjectAlternativeName)?.value);
  return [...new Set([...attributeTexts(certificate, 'emailAddress'), ...emailAddresses])].map((address) => `${address}\n`).join('');
}

function printNamedExtensions({ call, parsed, certificate }: PrintContext): string {
  const names = (parsed.value('ext') ?? '').split(',').map((name) => name.trim());
  const shown = [...certificate.extensions].filter(([id]) => {
    const known = extensionNames.find((one) => one.id === id);
    return names.some((name) => name === id || name === known?.shortName);
  });
  if (shown.length === 0) call.err('No extensions in certificate\n');
  return printExtensions(new Map(shown), 0);
}

/** The certificate of the option `-in`; with `-signkey`, signed again. */
async function signAgain(call: Invocation, parsed: Arguments): Promise<CertificateFile> {
  const file = await readCertificateFile(call, parsed.value('in'));
  if (!parsed.has('signkey') && !parsed.has('key') && !parsed.has('CA')) return file;
  const { subject, spki, extensions } = file.certificate;
  const existing = [...extensions].map(([id, extension]): NewExtension => ({ id, ...extension }));
  return issue(call, parsed, { subject, spki, extensions: parsed.has('clrext') ? [] : existing });
}

interface Order {
  /** Name, in DER. */
  readonly subject: Uint8Array;
  readonly spki: Uint8Array;
  readonly extensions: readonly NewExtension[];
}

async function signRequest(call: Invocation, parsed: Arguments): Promise<CertificateFile> {
  // Errors of the file of extensions come first.
  await openExtensions(call, parsed);
  const { request } = await readRequestFile(call, parsed.value('in'), 'Unable to load certificate request input');
  if (!(await hasValidSignature(call, request))) throw new CommandError('Certificate request self-signature did not match the contents');
  call.err(`Certificate request self-signature ok\nsubject=${chooseNameFormat(parsed)(request.subject)}\n`);
  const copies = /^copy/.test(parsed.value('copy_extensions') ?? '');
  const extensions = copies ? [...requestedExtensions(request)].map(([id, extension]): NewExtension => ({ id, ...extension })) : [];
  return issue(call, parsed, { subject: request.subject, spki: request.spki, extensions });
}

interface IssuerFiles {
  readonly key: PrivateKey;
  /** Undefined for self-signed certificates. */
  readonly authority: CertificateFile | undefined;
}

async function readIssuer(call: Invocation, parsed: Arguments): Promise<IssuerFiles> {
  const passphrase = parsed.value('passin');
  const own = parsed.value('signkey') ?? parsed.value('key');
  if (own !== undefined) return { key: await readPrivateKey(call, { name: own, what: 'private key', passphrase }), authority: undefined };
  const name = parsed.value('CA');
  if (name === undefined) throw new CommandError('We need a private key to sign with, use -key or -CAkey or -CA with private key');
  const authority = await readCertificateFile(call, name, 'CA certificate');
  const key = await readPrivateKey(call, { name: parsed.value('CAkey') ?? name, what: 'CA private key', passphrase });
  if (!sameKey(key.spki, authority.certificate.spki)) throw new CommandError('CA certificate and CA private key do not match');
  return { key, authority };
}

async function issue(call: Invocation, parsed: Arguments, order: Order): Promise<CertificateFile> {
  const { key, authority } = await readIssuer(call, parsed);
  const serialNumber = await chooseSerialNumber(call, parsed);
  const { subject, spki } = order;
  const issuer = authority
    ? issuerIdentity(authority.certificate, sameKey(key.spki, spki))
    : { spki: key.spki, name: subject, serialNumber, keyIdentifier: undefined, isSubject: true };
  const { configuration, section } = await openExtensions(call, parsed);
  const extensions = await extendOrder(order, { configuration, spki, issuer }, section);
  const notBeforeMs = call.shell.clock.nowMs();
  const notAfterMs = notBeforeMs + (parsed.number('days') ?? defaultDays) * dayMs;
  const hash = signingHash(parsed, parsed.digest, key);
  const der = await createCertificate(
    { serialNumber, subject, spki, notBeforeMs, notAfterMs, extensions },
    { name: authority?.certificate.subject ?? subject, key: await signingKey(call, key, hash), hash },
  );
  return { der, certificate: readCertificate(der) };
}

async function extendOrder({ extensions }: Order, context: ExtensionContext, section: string): Promise<readonly NewExtension[]> {
  try {
    const entries = context.configuration.get(section) ?? [];
    return await addKeyIdentifiers(await addExtensions(extensions, entries, context), context);
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    throw new CommandError(`Error checking extension section ${section}\n${error.message}`);
  }
}

/** The configuration of `-extfile`, and the name of the section of extensions. @throws CommandError */
async function openExtensions(
  call: Invocation,
  parsed: Arguments,
): Promise<{ readonly configuration: Configuration; readonly section: string }> {
  const file = parsed.value('extfile');
  const configuration = file === undefined ? new Map() : parseConfiguration(await readTextFile(call, file), file);
  const section = parsed.value('extensions') ?? entryOf(configuration, 'default', 'extensions') ?? 'default';
  if (file !== undefined && !configuration.has(section)) throw new CommandError(`Error checking extension section ${section}`);
  return { configuration, section };
}

/** The number of `-set_serial`, the next one of the file of serial numbers, or a random one. @throws CommandError */
async function chooseSerialNumber(call: Invocation, parsed: Arguments): Promise<Uint8Array> {
  const given = givenSerialNumber(parsed);
  if (given) return given;
  const authority = parsed.value('CA');
  if (authority === undefined) return createSerialNumber(call);
  const file = parsed.value('CAserial') ?? `${authority.replace(/\.[^./]*$/, '')}.srl`;
  const content = await readInput(call, file);
  if (!content && !parsed.has('CAcreateserial')) {
    if (parsed.has('CAserial')) throw new CommandError(`Unable to load number from ${file}`);
    return createSerialNumber(call);
  }
  const text = content && new TextDecoder().decode(content).trim();
  if (text !== undefined && !/^[\da-fA-F]+$/.test(text)) throw new CommandError(`Unable to load number from ${file}`);
  const number = text === undefined ? createSerialNumber(call) : bytesOfHex((BigInt(`0x${text}`) + 1n).toString(16));
  await writeOutput(call, file, `${serialHex(number)}\n`);
  return number;
}
