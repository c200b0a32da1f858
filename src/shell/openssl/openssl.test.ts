import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createShell, type Shell } from '../create-shell.ts';
import { createMemoryFiles, type FileSystem } from '../files.ts';
import type { Terminal } from '../streams.ts';

interface Output {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Files, and what OpenSSL 3.0 prints about them. TABPLANE_RECORD_OPENSSL=1 records the outputs of the lines again. */
interface Recording {
  readonly files: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, Output>>;
}

const recordingPath = new URL('recorded.json', import.meta.url).pathname;
const recording = JSON.parse(readFileSync(recordingPath, 'utf8')) as Recording;
const nowMs = Date.UTC(2027, 0, 1);

interface Fixture {
  readonly files: FileSystem;
  readonly shell: Shell;
  readonly run: (line: string) => Promise<Output>;
}

function createFixture(initial: Readonly<Record<string, string>> = {}): Fixture {
  const files = createMemoryFiles(
    Object.fromEntries(Object.entries({ '.keep': '', ...initial }).map(([name, text]) => [`/w/${name}`, text])),
  );
  const shell = createShell({
    env: { clock: createManualClock(nowMs), random: createSeededRandom(1), log: createMemoryLog() },
    files,
    connect: () => undefined,
    variables: { PWD: '/w' },
    programs: {},
  });
  const run = async (line: string): Promise<Output> => {
    const streams = { out: '', err: '' };
    const code = await shell.run(line, {
      signal: new AbortController().signal,
      out: (text) => {
        streams.out += text;
      },
      err: (text) => {
        streams.err += text;
      },
    });
    return { ...streams, code };
  };
  return { files, shell, run };
}

const isInstalled = /^OpenSSL 3\.0\./.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '');

/** Runs the lines with the real program, in a folder with the files. */
function runReal(lines: readonly string[], files: Readonly<Record<string, string>>): readonly Output[] {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-openssl-'));
  mkdirSync(join(folder, 'w'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'w', name), text);
  const outputs = lines.map((line): Output => {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', line], { cwd: join(folder, 'w'), encoding: 'utf8', input: '' });
    // Entries of the error queue have addresses, and lines of OpenSSL's sources.
    return { out: stdout, err: stderr.replace(/^[\dA-F]{8,}:error:.*\n/gm, ''), code: status ?? -1 };
  });
  rmSync(folder, { recursive: true });
  return outputs;
}

test.for(Object.entries(recording.outputs))('prints as OpenSSL 3.0: %s', async ([line, output]) => {
  expect(await createFixture(recording.files).run(line)).toEqual(output);
});

test.runIf(isInstalled)('the recorded outputs are those of the installed OpenSSL', () => {
  const lines = Object.keys(recording.outputs);
  const outputs = Object.fromEntries(runReal(lines, recording.files).map((output, index) => [lines[index], output]));
  const isPatch = (text: string): string => text.replaceAll(/OpenSSL 3\.0\.\d+ \d+ \w+ \d+/g, 'OpenSSL 3.0');
  if (process.env['TABPLANE_RECORD_OPENSSL']) writeFileSync(recordingPath, `${JSON.stringify({ ...recording, outputs }, undefined, 2)}\n`);
  else expect(JSON.parse(isPatch(JSON.stringify(outputs)))).toEqual(JSON.parse(isPatch(JSON.stringify(recording.outputs))));
});

/** The steps of the page "Normal user certificates", and of a CA of one's own. */
const flow = [
  'openssl genrsa -out ca.key 2048',
  'openssl req -x509 -new -nodes -key ca.key -subj /CN=my-ca -days 100 -out ca.crt',
  'openssl genrsa -out myuser.key 3072',
  'openssl req -new -key myuser.key -out myuser.csr -subj "/CN=myuser/O=dev"',
  'openssl x509 -req -in myuser.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 10 -out myuser.crt',
  'openssl ecparam -name prime256v1 -genkey -noout -out ec.key',
  'openssl req -new -key ec.key -out ec.csr -subj /CN=ec -addext subjectAltName=DNS:a.example',
  'openssl x509 -req -in ec.csr -CA ca.crt -CAkey ca.key -out ec.crt -copy_extensions copy',
  'openssl genpkey -algorithm ed25519 -out ed.key',
  'openssl req -new -key ed.key -out ed.csr -subj /CN=ed',
  'openssl x509 -req -in ed.csr -CA ca.crt -CAkey ca.key -out ed.crt',
  'openssl req -x509 -nodes -days 365 -newkey rsa:2048 -keyout tls.key -out tls.crt -subj /CN=foo.bar.com -addext subjectAltName=DNS:foo.bar.com',
  'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout p384.key -out p384.crt -subj /CN=p384',
  'openssl genrsa -aes256 -passout pass:secret -out encrypted.key 2048',
  'openssl rsa -in encrypted.key -passin pass:secret -pubout -out encrypted.pub',
];
const keys = ['ca', 'myuser', 'ec', 'ed', 'tls', 'p384'];

async function runFlow(): Promise<Fixture> {
  const fixture = createFixture();
  for (const line of flow) expect([line, (await fixture.run(line)).code]).toEqual([line, 0]);
  return fixture;
}

test('creates keys, requests and certificates that it verifies itself', async () => {
  const { run } = await runFlow();
  expect((await run('openssl verify -CAfile ca.crt myuser.crt ec.crt ed.crt')).out).toBe('myuser.crt: OK\nec.crt: OK\ned.crt: OK\n');
  for (const name of keys) {
    const publicKeys = [await run(`openssl x509 -in ${name}.crt -noout -pubkey`), await run(`openssl pkey -in ${name}.key -pubout`)];
    expect(publicKeys[0]?.out).toBe(publicKeys[1]?.out);
  }
  expect((await run('openssl x509 -in ec.crt -noout -ext subjectAltName')).out).toContain('DNS:a.example\n');
  expect((await run('openssl x509 -in tls.crt -noout -startdate -enddate')).out).toBe(
    'notBefore=Jan  1 00:00:00 2027 GMT\nnotAfter=Jan  1 00:00:00 2028 GMT\n',
  );
  const serials = [];
  for (const name of ['myuser', 'ec', 'ed']) serials.push((await run(`openssl x509 -in ${name}.crt -noout -serial`)).out);
  const [first = 0n, ...others] = serials.map((line) => BigInt(`0x${line.trim().slice('serial='.length)}`));
  expect(others).toEqual([first + 1n, first + 2n]);
  expect(`serial=${(await run('cat ca.srl')).out}`).toBe(serials.at(-1));
});

test.runIf(isInstalled)('OpenSSL reads the keys, requests and certificates', async () => {
  const { files, run } = await runFlow();
  const texts: Record<string, string> = {};
  for (const name of await files.list('/w')) texts[name] = new TextDecoder().decode(await files.read(`/w/${name}`));
  const lines = [
    ...keys.flatMap((name) => [`openssl pkey -in ${name}.key -noout -text`, `openssl x509 -in ${name}.crt -noout -text`]),
    ...['myuser', 'ec', 'ed'].flatMap((name) => [`openssl req -in ${name}.csr -noout -text -verify`, `openssl pkey -in ${name}.key`]),
    `openssl verify -CAfile ca.crt -attime ${nowMs / 1000 + 60} myuser.crt ec.crt ed.crt`,
    'openssl pkey -in encrypted.key -passin pass:secret -noout -check',
    'openssl pkey -pubin -in encrypted.pub -noout -text',
    'openssl pkey -in ca.key -aes128 -passout pass:abcd | openssl pkey -passin pass:abcd',
  ];
  const real = runReal(lines, texts);
  for (const [index, line] of lines.entries()) expect([line, await run(line)]).toEqual([line, real[index]]);
});

test('reports whether a certificate expires within some seconds', async () => {
  const { run } = createFixture(recording.files);
  expect(await run('openssl x509 -in s.crt -checkend 0')).toEqual({ out: 'Certificate will not expire\n', err: '', code: 0 });
  expect(await run('openssl x509 -in s.crt -noout -checkend 999999999')).toEqual({ out: 'Certificate will expire\n', err: '', code: 1 });
});

test('finds an expired certificate', async () => {
  const { run } = await runFlow();
  const { err, code } = await run(`openssl verify -CAfile ca.crt -attime ${nowMs / 1000 + 20 * 24 * 60 * 60} myuser.crt`);
  expect(err).toBe('CN = myuser, O = dev\nerror 10 at 0 depth lookup: certificate has expired\nerror myuser.crt: verification failed\n');
  expect(code).toBe(2);
});

test('finds a certificate of another key with the name of the CA', async () => {
  const { run } = await runFlow();
  await run('openssl req -x509 -key ec.key -subj /CN=my-ca -out other.crt');
  expect((await run('openssl verify -CAfile other.crt myuser.crt')).err).toContain(
    'error 7 at 0 depth lookup: certificate signature failure',
  );
});

test('prompts at the terminal', async () => {
  const { files, shell } = createFixture(recording.files);
  const opened: string[] = [];
  const answers = ['.', '.', '.', 'dev', '', 'myuser', '', '', ''];
  async function* typed(): AsyncGenerator<Uint8Array> {
    for (const answer of answers) yield new TextEncoder().encode(`${answer}\n`);
  }
  const terminal: Terminal = {
    async open(mode) {
      opened.push(mode);
      return { input: typed(), sizes: { async *[Symbol.asyncIterator]() {} }, close: () => opened.push('close') };
    },
  };
  let questions = '';
  const err = (text: string): void => {
    questions += text;
  };
  const code = await shell.run('openssl req -new -key ed.key -out a.csr && openssl req -in a.csr -noout -subject > subject', {
    signal: new AbortController().signal,
    out: () => {},
    err,
    terminal,
  });
  expect([code, opened]).toEqual([0, ['lines', 'close']]);
  expect(questions).toContain('Common Name (e.g. server FQDN or YOUR name) []:');
  expect(new TextDecoder().decode(await files.read('/w/subject'))).toBe('subject=O = dev, CN = myuser\n');
});

test('reports that keys need Web Crypto', async () => {
  const { subtle } = crypto;
  vi.stubGlobal('crypto', {});
  const { run } = createFixture(recording.files);
  const { err, code } = await run('openssl genrsa -out a.key');
  expect([err, code]).toEqual(['openssl: keys need Web Crypto, which pages have over HTTPS and on localhost only\n', 1]);
  expect((await run('openssl x509 -in s.crt -noout -fingerprint -sha256')).code).toBe(0);
  vi.unstubAllGlobals();
  expect(crypto.subtle).toBe(subtle);
});

test('lists its commands', async () => {
  const { run } = createFixture();
  expect((await run('openssl help')).err).toContain('Standard commands\ndgst              ec');
  expect((await run('openssl x509 -help')).err).toMatch(/^Usage: x509 \[options\]\n\nValid options are:\n -help\n -req\n/);
});
