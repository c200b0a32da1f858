import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createMemoryLog, type Env } from '../../src/env/index.ts';
import { nodeFiles } from '../../src/hosts/node/kubectl/node-files.ts';
import { createServerConnect } from '../../src/hosts/node/kubectl/server-handler.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { type ConsoleShell, createShell } from '../../src/kubectl/index.ts';

/** The console's shell in this process, for the option `--shell` of recorded/sessions.mjs: real files, a real server over HTTP. */
export interface ShellServer {
  /** The command that connects its standard input and output with a new shell. */
  readonly command: string;
  stop(): Promise<void>;
}

/** The clock of the shells is `nowMs`. Each session connects: loading the shell in a process of its own takes longer than most sessions. */
export async function startShellServer(nowMs: () => number = Date.now): Promise<ShellServer> {
  const { clock, ...others } = createNodeEnv(createMemoryLog());
  const env: Env = { ...others, clock: { ...clock, nowMs } };
  const server = createServer((socket) => void serveSession(env, socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    command: `bash ${join(import.meta.dirname, 'connect.sh')} ${port}`,
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A line of a session. */
interface Line {
  readonly cmd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Reads the home directory, and then lines of a session: {"cmd","env","cwd"} → {"stdout","stderr","code"}. */
async function serveSession(env: Env, socket: Socket): Promise<void> {
  // The replayer ends the connection with its process, and commands with it.
  const session = new AbortController();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => session.abort());
  let home: string | undefined;
  let shell: ConsoleShell | undefined;
  for await (const text of createInterface({ input: socket })) {
    if (home === undefined) {
      home = text;
      continue;
    }
    const line = JSON.parse(text) as Line;
    shell ??= createSessionShell(env, home, line);
    socket.write(`${JSON.stringify(await runLine(shell, line.cmd, session.signal))}\n`);
  }
}

function createSessionShell(env: Env, home: string, { env: variables, cwd }: Line): ConsoleShell {
  const connect = createServerConnect();
  const server = new URL(variables['APISERVER'] ?? 'http://localhost').origin;
  const unverified = { authorities: undefined, identity: undefined, serverName: undefined, unverified: true };
  return createShell({
    env,
    files: nodeFiles,
    connect: (origin) => (origin === server ? connect(origin, unverified) : undefined),
    variables: { HOME: home, PWD: cwd, ...variables },
  });
}

async function runLine(shell: ConsoleShell, command: string, signal: AbortSignal): Promise<object> {
  let [stdout, stderr, code] = ['', '', -1];
  try {
    code = await shell.run(command, {
      signal,
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
  return { stdout, stderr, code };
}
