// The console's shell behind the JSON lines of recorded/sessions.mjs (--shell): real files, a real server over HTTP.
//   {"cmd","env","cwd"} → {"stdout","stderr","code"}
import { createInterface } from 'node:readline';
import type { Env } from '../../src/env/index.ts';
import { nodeFiles } from '../../src/hosts/node/kubectl/node-files.ts';
import { createServerConnect } from '../../src/hosts/node/kubectl/server-handler.ts';
import { createRealClock } from '../../src/hosts/real-clock.ts';
import { type ConsoleShell, createShell } from '../../src/kubectl/index.ts';

const env: Env = {
  clock: createRealClock({
    nextTurn: () => Promise.resolve(),
    schedule(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  }),
  random: { integer: (below) => Math.floor(Math.random() * below), uuid: () => crypto.randomUUID() },
  log: { error: () => {}, warn: () => {}, info: () => {} },
};

const connect = createServerConnect();
const unverified = { authorities: undefined, identity: undefined, serverName: undefined, unverified: true };

let shell: ConsoleShell | undefined;

function shellFor(variables: Record<string, string>, directory: string): ConsoleShell {
  const server = new URL(variables['APISERVER'] ?? 'http://localhost').origin;
  return createShell({
    env,
    files: nodeFiles,
    connect: (origin) => (origin === server ? connect(origin, unverified) : undefined),
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
