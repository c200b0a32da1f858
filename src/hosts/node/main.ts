import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags, usage } from './flags/flags.ts';
import { isNodeHelp, nodeCommand, nodeUsage } from './node-command.ts';
import { createNodeEnv, createStderrLog } from './node-env.ts';
import { refusalOf, start } from './start.ts';

/** For code that starts servers in its own process. */
export { parseFlags, refusalOf, start };

/** Result of `run`: `serves` when a server is running, `completed` when another command has completed or is exiting. */
export type RunState = 'serves' | 'completed';

/** `tabplane serve [flags]`, `tabplane components`: one line when ready, an end on SIGTERM or SIGINT. `tabplane kubectl …`, `tabplane node stop NAME`; `tabplane tutorial test DIR`, `tabplane docs test PATTERN`, `tabplane repair`: a report. `tabplane page --output FOLDER`: files. `programFolder`: the folder of this program. */
export async function run(programFolder: string): Promise<RunState> {
  try {
    return await obey(programFolder);
  } catch (error) {
    return refuse(error);
  }
}

async function obey(programFolder: string): Promise<RunState> {
  const [command, ...words] = process.argv.slice(2);
  // Loaded on demand, because servers do not need them.
  if (command === 'tutorial' || command === 'docs') {
    const test = command === 'docs' ? (await import('./docs/docs.ts')).docs : (await import('./tutorial/tutorial.ts')).tutorial;
    // Prevents the exit of the process: timers of the environment are unref'd, and tests open no sockets.
    setInterval(() => undefined, 60_000);
    const code = await test(words, createNodeEnv(createStderrLog('error')), (text) => process.stdout.write(text));
    // Exits after the output was flushed.
    process.stdout.write('', () => process.exit(code));
    return 'completed';
  }
  if (command === 'repair') {
    const { repair } = await import('./repair.ts');
    process.exitCode = await repair(words, createNodeEnv(createStderrLog('warn')), (text) => process.stdout.write(text));
    return 'completed';
  }
  if (command === 'page') {
    (await import('./page.ts')).page(words, programFolder, (text) => process.stdout.write(text));
    return 'completed';
  }
  if (command === 'node' && isNodeHelp(words)) {
    process.stdout.write(nodeUsage);
    return 'completed';
  }
  if (command === 'kubectl' || command === 'node') {
    const { runKubectl } = await import('./kubectl/index.ts');
    const interrupt = new AbortController();
    process.once('SIGINT', () => interrupt.abort());
    setInterval(() => undefined, 60_000);
    const code = await runKubectl(
      command === 'node' ? nodeCommand(words) : words,
      createNodeEnv(createStderrLog('error')),
      interrupt.signal,
    );
    // Exits after the output was flushed.
    process.stdout.write('', () => process.exit(code));
    return 'completed';
  }
  if (command === 'components') return runComponentsCommand(words);
  const flags = parseFlags(command === 'serve' || command === undefined ? words : process.argv.slice(2));
  if (flags.help) {
    process.stdout.write(usage);
    return 'completed';
  }
  const kubeconfig = flags.kubeconfig ?? temporaryKubeconfig();
  const warn = (text: string): void => void process.stderr.write(`warning: ${text}\n`);
  const serving = await start({ ...flags, kubeconfig }, { createLog: createStderrLog, warn, storageLost: refuse });
  // Registered before the server is reported as ready, since it may be terminated right after that.
  let isEnding = false;
  const end = (): void => {
    // A second signal exits at once, as in the real server.
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

async function runComponentsCommand(words: readonly string[]): Promise<RunState> {
  const { componentsUsage, parseComponentFlags } = await import('./components/component-flags.ts');
  const flags = parseComponentFlags(words);
  if (flags.help) {
    process.stdout.write(componentsUsage);
    return 'completed';
  }
  const { runComponents } = await import('./components/run-components.ts');
  const stop = await runComponents(flags, createNodeEnv(createStderrLog(flags.logLevel)));
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      stop();
      process.exit(0);
    });
  }
  // Prevents the exit of the process while no connection is open.
  setInterval(() => undefined, 60_000);
  process.stdout.write(`components of the server of ${flags.kubeconfig} have been started\n`);
  return 'serves';
}

/** Path of a kubeconfig that is removed on exit, in a private folder: in a shared one another user could create the file first. */
function temporaryKubeconfig(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'kubeconfig');
}

/** Reports an error in one line, and exits with code 1. */
function refuse(error: unknown): never {
  process.stderr.write(`${refusalOf(error)}\n`);
  process.exit(1);
}
