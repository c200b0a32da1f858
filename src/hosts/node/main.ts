import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, usage } from './flags.ts';
import { createNodeEnv, createStderrLog } from './node-env.ts';
import { refusalOf, start } from './start.ts';

/** For whatever starts servers in a process of its own. */
export { parseFlags, refusalOf, start };

/** Of `run`: whether a server runs now; whatever else was asked for is done or under way. */
export type RunState = 'serves' | 'told';

/** `tabplane serve [flags]`: one line when ready, an end on SIGTERM or SIGINT. `tabplane kubectl …`; `tabplane tutorial test DIR`, `tabplane repair`: a report. */
export async function run(): Promise<RunState> {
  try {
    return await obey();
  } catch (error) {
    return refuse(error);
  }
}

async function obey(): Promise<RunState> {
  const [command, ...words] = process.argv.slice(2);
  // What a server needs none of is loaded by who asks for it.
  if (command === 'tutorial') {
    const { tutorial } = await import('./tutorial.ts');
    // Timers of the environment keep no process alive, and a test has no sockets that would.
    setInterval(() => undefined, 60_000);
    process.exit(await tutorial(words, createNodeEnv(createStderrLog('error')), (text) => process.stdout.write(text)));
  }
  if (command === 'repair') {
    const { repair } = await import('./repair.ts');
    process.exitCode = await repair(words, createNodeEnv(createStderrLog('warn')), (text) => process.stdout.write(text));
    return 'told';
  }
  if (command === 'kubectl') {
    const { runKubectl } = await import('./kubectl/index.ts');
    const interrupt = new AbortController();
    process.once('SIGINT', () => interrupt.abort());
    setInterval(() => undefined, 60_000);
    const code = await runKubectl(words, createNodeEnv(createStderrLog('error')), interrupt.signal);
    // What was printed may still be on its way.
    process.stdout.write('', () => process.exit(code));
    return 'told';
  }
  const flags = parseFlags(command === 'serve' || command === undefined ? words : process.argv.slice(2));
  if (flags.help) {
    process.stdout.write(usage);
    return 'told';
  }
  const kubeconfig = flags.kubeconfig ?? temporaryKubeconfig();
  const warn = (text: string): void => void process.stderr.write(`warning: ${text}\n`);
  const serving = await start({ ...flags, kubeconfig }, { createLog: createStderrLog, warn, storageLost: refuse });
  // Before it says that it is ready: who waits for that may end it at once.
  let isEnding = false;
  const end = (): void => {
    // Who asks twice does not want to wait, as in the real server.
    if (isEnding) process.exit(1);
    isEnding = true;
    serving.shutDown().then(
      () => process.exit(0),
      (error: unknown) => refuse(error),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.stdout.write(`serving on ${serving.url}\nkubeconfig ${kubeconfig}\n`);
  return 'serves';
}

/** Removed when the process exits. In a folder of its own: nobody else can put something under its name in a shared one. */
function temporaryKubeconfig(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'kubeconfig');
}

/** A start that cannot be is one line, and a code. */
function refuse(error: unknown): never {
  process.stderr.write(`${refusalOf(error)}\n`);
  process.exit(1);
}
