import type { PluginHost } from '../../client/exec-plugin/index.ts';
import { type Product, productNamed } from '../../meta/index.ts';
import { ApiClient, type SeenRequest } from '../api/client.ts';
import { Cluster } from '../api/cluster.ts';
import type { KnownResource } from '../api/discovery.ts';
import { rootCommand } from '../commands/index.ts';
import { createConfigAccess } from '../kubeconfig/access.ts';
import { identityHeaders, impersonatedGroups, lacksCredentials, needsMoreThanHeaders, resolveTarget } from '../kubeconfig/resolve.ts';
import type { Connect, KnownPlugins, WayOptions } from '../kubeconfig/way.ts';
import { type Flags, readFlags } from '../parse/flags.ts';
import type { Invocation, Program } from '../shell/context.ts';
import { CommandError } from '../shell/errors.ts';
import type { Call, Command } from './command.ts';
import { KubectlError, messageOf, tell } from './errors.ts';
import { globalFlags } from './global-flags.ts';
import { clientVersion } from './identity.ts';

export interface KubectlOptions {
  /** Undefined where nothing answers. */
  readonly connect: Connect;
  /** Runs credential plugins. */
  readonly plugins?: PluginHost;
  readonly knownPlugins?: KnownPlugins;
  readonly knownResources?: Map<string, readonly KnownResource[]>;
  readonly product?: Product;
  /** Width of the screen, for help. */
  readonly columns?: number;
  readonly onRequest?: (seen: SeenRequest) => void;
}

const userAgent = `kubectl/${clientVersion} (linux/amd64) kubernetes/tabplane`;

/** What one command leaves to the next. */
interface Memory {
  readonly resources: Map<string, readonly KnownResource[]>;
  readonly plugins: KnownPlugins;
}

/** kubectl as a program of the shell. What discovery told is remembered as long as the program. */
export function createKubectl(options: KubectlOptions): Program {
  const memory: Memory = { resources: options.knownResources ?? new Map(), plugins: options.knownPlugins ?? new Map() };
  return async (invocation) => {
    try {
      return await runKubectl(invocation, options, memory);
    } catch (error) {
      if (invocation.signal.aborted) throw error;
      if (error instanceof CommandError) throw error;
      const { text, code } = tell(error);
      invocation.err(text);
      return code;
    }
  };
}

interface Found {
  readonly command: Command;
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

async function runKubectl(invocation: Invocation, options: KubectlOptions, memory: Memory): Promise<number> {
  const { command, path, rest } = await findCommand(rootCommand, invocation.args);
  const commandPath = path.join(' ');
  const specs = { ...globalFlags, ...command.flags };
  let flags: Flags;
  try {
    flags = readFlags(rest, specs);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`${error.message}\nSee '${['kubectl', ...path].join(' ')} --help' for usage.`);
  }
  if (flags.bool('help') || !command.run) {
    const { showHelp } = await import('./help.ts');
    return showHelp(invocation, { command, commandPath, words: flags.words, asked: flags.bool('help') });
  }
  for (const [name, { deprecated }] of Object.entries(specs)) {
    if (deprecated !== undefined && flags.changed(name)) invocation.err(`Flag --${name} has been deprecated, ${deprecated}\n`);
  }
  const missing = (command.required ?? []).filter((name) => !flags.changed(name));
  if (missing.length > 0) throw new KubectlError(`required flag(s) ${missing.map((name) => `"${name}"`).join(', ')} not set`);
  const call = createCall(invocation, { flags, commandPath, options, memory });
  return (await command.run(call)) ?? 0;
}

/** Walks down the words that name commands; flags may stand between them. */
async function findCommand(root: Command, args: readonly string[]): Promise<Found> {
  let command = root;
  const path: string[] = [];
  let rest = [...args];
  for (;;) {
    const at = indexOfWord(rest, { ...globalFlags, ...command.flags });
    const word = at < 0 ? undefined : rest[at];
    if (word === undefined || !command.subcommands) return { command, path, rest };
    const found = Object.entries(command.subcommands).find(([name, { aliases }]) => name === word || aliases?.includes(word));
    if (!found) {
      if (command === root) throw (await import('./suggest.ts')).unknownCommand(word, root);
      if (command.run) return { command, path, rest };
      throw new KubectlError(
        `unknown command ${JSON.stringify([word, ...wordsOf(rest.slice(at + 1))].join(' '))}\nSee 'kubectl ${path.join(' ')} -h' for help and examples`,
      );
    }
    const [name, entry] = found;
    path.push(name);
    rest = [...rest.slice(0, at), ...rest.slice(at + 1)];
    command = await entry.load();
  }
}

function wordsOf(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

/** Where the first word stands that is no flag nor a flag's value. */
function indexOfWord(
  args: readonly string[],
  specs: Readonly<Record<string, { readonly short?: string; readonly bare?: string }>>,
): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return -1;
    if (!arg.startsWith('-') || arg === '-') return at;
    if (arg.includes('=')) continue;
    const long = arg.startsWith('--');
    const spec = long ? specs[arg.slice(2)] : Object.values(specs).find(({ short }) => short === arg.at(-1));
    const joined = !long && arg.length > 2 && Object.values(specs).some(({ short, bare }) => short === arg[1] && bare === undefined);
    if (spec && spec.bare === undefined && !joined) at++;
  }
  return -1;
}

interface CallParts {
  readonly flags: Flags;
  readonly commandPath: string;
  readonly options: KubectlOptions;
  readonly memory: Memory;
}

function createCall(invocation: Invocation, { flags, commandPath, options, memory }: CallParts): Call {
  const { environment, shell, path } = invocation;
  const config = createConfigAccess({
    files: shell.files,
    path,
    named: flags.text('kubeconfig'),
    variable: environment.get('KUBECONFIG'),
    home: environment.get('HOME') ?? '',
  });
  let cluster: Promise<Cluster> | undefined;
  const globals = flags.within(globalFlags);
  const call: Call = {
    ...invocation,
    flags,
    words: flags.words,
    commandPath,
    config,
    product: options.product ?? productNamed('kubernetes'),
    columns: options.columns ?? 80,
    root: rootCommand,
    cluster: () => {
      cluster ??= openCluster(call, globals, options, memory);
      return cluster;
    },
    api: async () => (await call.cluster()).client,
    async namespace() {
      const { namespace } = resolveTarget(await config.loadPresent(), globals);
      return { name: namespace, explicit: globals.changed('namespace') };
    },
    onRequest: (seen) => options.onRequest?.(seen),
  };
  return call;
}

async function openCluster(call: Call, flags: Flags, options: KubectlOptions, memory: Memory): Promise<Cluster> {
  const { shell, err } = call;
  const target = resolveTarget(await call.config.loadPresent(), flags);
  const limit = flags.text('request-timeout');
  const timeout = limit === '0' ? undefined : (await import('./request-timeout.ts')).readTimeout(call, limit);
  const headers = { 'user-agent': userAgent, ...identityHeaders(target, flags) };
  const handler = needsMoreThanHeaders(target, flags)
    ? await openOwnWay(call, { target, flags, connect: options.connect, host: options.plugins, known: memory.plugins })
    : options.connect(new URL(target.server).origin);
  // Where nothing is encrypted nobody is asked who he is.
  if (handler && target.server.startsWith('https:') && lacksCredentials(target.user)) await askForCredentials(call);
  const texts = flags.int('v') >= 6 ? (await import('../api/status-texts.ts')).statusTexts : undefined;
  const client = new ApiClient({
    server: target.server,
    handler,
    headers,
    impersonatedGroups: impersonatedGroups(target, flags),
    clock: shell.clock,
    signal: timeout?.signal ?? call.signal,
    timeout: timeout?.text,
    rename: (text) => call.product.rename(text),
    onWarning: (text) => err(`Warning: ${text}\n`),
    onRequest: (seen) => {
      call.onRequest(seen);
      if (texts)
        err(
          logLine(
            call,
            'I',
            'round_trippers.go:632',
            `"Response" verb="${seen.method}" url="${seen.url}" status="${seen.status} ${texts[seen.status] ?? ''}" milliseconds=${Math.round(seen.ms)}`,
          ),
        );
    },
  });
  const onFailure = (error: unknown): void => {
    const why = `couldn't get current server API group list: ${messageOf(error)}`;
    const shown = why.includes('\n') ? `<\n\t${why.replaceAll('\n', '\n\t')}\n >` : JSON.stringify(why);
    err(logLine(call, 'E', 'memcache.go:265', `"Unhandled Error" err=${shown}`));
  };
  return new Cluster({ client, memory: memory.resources, onFailure });
}

/** Loaded by those who need it: most users of a page are a token. */
async function openOwnWay(
  call: Call,
  way: Pick<WayOptions, 'target' | 'flags' | 'connect' | 'host' | 'known'>,
): Promise<ReturnType<Connect>> {
  const { openCallsWay } = await import('../kubeconfig/way.ts');
  return openCallsWay(call, way, (place, text) => call.err(logLine(call, 'E', place, text)));
}

/** A line of klog. */
function logLine({ shell }: Call, level: string, place: string, text: string): string {
  const at = new Date(shell.clock.nowMs()).toISOString();
  return `${level}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}000    4711 ${place}] ${text}\n`;
}

/** Without credentials kubectl asks for a name; nobody answers here. */
async function askForCredentials({ out }: Call): Promise<never> {
  out('Please enter Username: ');
  throw new KubectlError('EOF');
}
