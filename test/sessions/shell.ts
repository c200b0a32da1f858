// The console's shell behind the JSON lines of recorded/sessions.mjs (--shell): real files, a real server over HTTP.
//   {"cmd","env","cwd"} → {"stdout","stderr","code"}
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import type { Env } from '../../src/env/index.ts';
import { type ConsoleShell, createShell, FileError, type FileSystem } from '../../src/kubectl/index.ts';
import type { ApiHandler } from '../../src/meta/index.ts';

const files: FileSystem = {
  async kind(path) {
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() ? 'directory' : found ? 'file' : undefined;
  },
  async read(path) {
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? new Uint8Array(await readFile(path)) : undefined;
  },
  async write(path, content) {
    await writeFile(path, content).catch((error: NodeJS.ErrnoException) => {
      throw new FileError(error.code === 'EISDIR' ? 'is-directory' : 'not-found', path);
    });
  },
  list: async (path) => (await readdir(path).catch(() => [])).sort(),
  async makeDirectory(path) {
    await mkdir(path, { recursive: true });
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
};

const env: Env = {
  clock: {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
    schedule(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  random: { integer: (below) => Math.floor(Math.random() * below), uuid: () => crypto.randomUUID() },
  log: { error: () => {}, warn: () => {}, info: () => {} },
};

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }) };

function handlerFor(origin: string): ApiHandler {
  return ({ method, target, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(target, origin);
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const sent: Record<string, string> = Object.fromEntries(headers);
      if (body) sent['content-length'] = String(body.length);
      const outgoing = send(url, { method, headers: sent, agent: agents[url.protocol === 'https:' ? 'https:' : 'http:'] }, (response: IncomingMessage) => {
        const pairs: [string, string][] = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) pairs.push([response.rawHeaders[at]?.toLowerCase() ?? '', response.rawHeaders[at + 1] ?? '']);
        resolve({ status: response.statusCode ?? 0, headers: pairs, body: response });
      });
      outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      const stop = (): void => {
        outgoing.destroy();
      };
      signal.addEventListener('abort', stop, { once: true });
      outgoing.on('close', () => signal.removeEventListener('abort', stop));
      outgoing.end(body);
    });
}

let shell: ConsoleShell | undefined;

function shellFor(variables: Record<string, string>, directory: string): ConsoleShell {
  const server = new URL(variables['APISERVER'] ?? 'http://localhost').origin;
  return createShell({
    env,
    files,
    connect: (origin) => (origin === server ? handlerFor(origin) : undefined),
    variables: { HOME: process.env['HOME'] ?? '/', PWD: directory, ...variables },
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, env: variables, cwd } = JSON.parse(line) as { cmd: string; env: Record<string, string>; cwd: string };
  shell ??= shellFor(variables, cwd);
  let [stdout, stderr, code] = ['', '', -1];
  try {
    code = await shell.run(cmd, {
      signal: new AbortController().signal,
      out: (text) => {
        stdout += text;
      },
      err: (text) => {
        stderr += text;
      },
    });
  } catch (error) {
    stderr += `crash: ${error instanceof Error ? error.stack : String(error)}\n`;
    code = 70;
  }
  process.stdout.write(`${JSON.stringify({ stdout, stderr, code })}\n`);
}
process.exit(0);
