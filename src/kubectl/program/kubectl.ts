import type { PluginHost } from '../../client/exec-plugin/index.ts';
import { type ApiHandler, type Product, productByName } from '../../meta/index.ts';
import { CommandError, type Invocation, type Program } from '../../shell/index.ts';
import { ApiClient, type CompletedRequest } from '../api/client.ts';
import { Cluster } from '../api/cluster.ts';
import type { ApiResource } from '../api/discovery.ts';
import { rootCommand } from '../commands/index.ts';
import { createConfigAccess } from '../kubeconfig/access.ts';
import {
  authenticationHeaders,
  impersonatedGroups,
  lacksCredentials,
  needsMoreThanHeaders,
  resolveNamespace,
  resolveTarget,
} from '../kubeconfig/resolve-target.ts';
import type { Connect, PluginCache, TransportOptions } from '../kubeconfig/transport.ts';
import { type Flags, parseFlags } from '../parse/flags.ts';
import { clientVersion } from './client-version.ts';
import type { Call, Command } from './command.ts';
import { describeError, KubectlError } from './errors.ts';
import { globalFlags } from './global-flags.ts';
import { unknownCommandError } from './suggest.ts';

export interface KubectlOptions {
  /** Undefined results where nothing listens. */
  readonly connect: Connect;
  /** Runs credential plugins. */
  readonly plugins?: PluginHost;
  readonly knownPlugins?: PluginCache;
  readonly knownResources?: Map<string, readonly ApiResource[]>;
  readonly product?: Product;
  /** Width of the terminal, for help. */
  readonly columns?: number;
  readonly onRequest?: (request: CompletedRequest) => void;
  /** Servers of this host by their origin: `http://localhost:8080`; `port-forward` adds them. */
  readonly localServers?: Map<string, ApiHandler>;
}

const userAgent = `kubectl/${clientVersion} (linux/amd64) kubernetes/tabplane`;

/** Caches that persist between commands. */
interface Caches {
  readonly discovery: Map<string, readonly ApiResource[]>;
  readonly plugins: PluginCache;
}

/** kubectl as a program of the shell. Caches discovery for the lifetime of the program. */
export function createKubectl(options: KubectlOptions): Program {
  const caches: Caches = { discovery: options.knownResources ?? new Map(), plugins: options.knownPlugins ?? new Map() };
  return async (invocation) => {
    try {
      return await runKubectl(invocation, options, caches);
    } catch (error) {
      if (invocation.signal.aborted) throw error;
      if (error instanceof CommandError) throw error;
      const { text, code } = describeError(error);
      invocation.err(text);
      return code;
    }
  };
}

interface FoundCommand {
  readonly command: Command;
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

async function runKubectl(invocation: Invocation, options: KubectlOptions, caches: Caches): Promise<number> {
  const { command, path, rest } = await findCommand(rootCommand, invocation.args);
  const commandPath = path.join(' ');
  const specs = { ...globalFlags, ...command.flags };
  let flags: Flags;
  try {
    flags = parseFlags(rest, specs);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    const { flagErrorCode } = command;
    const hint = flagErrorCode === undefined ? "--help' for usage." : "-h' for help and examples";
    throw new KubectlError(`${error.message}\nSee '${['kubectl', ...path].join(' ')} ${hint}`, flagErrorCode);
  }
  if (flags.bool('help') || !command.run) {
    const { showHelp } = await import('../help/help.ts');
    const product = options.product ?? productByName('kubernetes');
    return showHelp(invocation, { root: rootCommand, path: commandPath, product, isHelpFlag: flags.bool('help') });
  }
  for (const [name, { deprecated }] of Object.entries(specs)) {
    if (deprecated !== undefined && flags.changed(name)) invocation.err(`Flag --${name} has been deprecated, ${deprecated}\n`);
  }
  const missing = (command.required ?? []).filter((name) => !flags.changed(name));
  if (missing.length > 0) throw new KubectlError(`required flag(s) ${missing.map((name) => `"${name}"`).join(', ')} not set`);
  let warnings = 0;
  const onWarning = (): void => {
    warnings++;
  };
  const call = createCall(invocation, { flags, commandPath, options, caches, onWarning });
  const code = (await command.run(call)) ?? 0;
  if (code === 0 && warnings > 0 && flags.bool('warnings-as-errors'))
    throw new KubectlError(`${warnings} warning${warnings === 1 ? '' : 's'} received`);
  return code;
}

/** Descends through the arguments that name commands; flags may be in between. */
async function findCommand(root: Command, args: readonly string[]): Promise<FoundCommand> {
  let command = root;
  const path: string[] = [];
  let rest = [...args];
  for (;;) {
    const at = indexOfFirstArgument(rest, { ...globalFlags, ...command.flags });
    const word = at < 0 ? undefined : rest[at];
    if (word === undefined || !command.subcommands) return { command, path, rest };
    const found = Object.entries(command.subcommands).find(([name, { aliases }]) => name === word || aliases?.includes(word));
    if (!found) {
      if (command === root) throw unknownCommandError(word, root);
      if (command.run || command.help?.ok) return { command, path, rest };
      throw new KubectlError(
        `unknown command ${JSON.stringify([word, ...argumentsWithoutFlags(rest.slice(at + 1))].join(' '))}\nSee 'kubectl ${path.join(' ')} -h' for help and examples`,
      );
    }
    const [name, entry] = found;
    path.push(name);
    rest = [...rest.slice(0, at), ...rest.slice(at + 1)];
    command = await entry.load();
  }
}

function argumentsWithoutFlags(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

/** The index of the first argument that is neither a flag nor a flag's value. */
function indexOfFirstArgument(
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

interface CallOptions {
  readonly flags: Flags;
  readonly commandPath: string;
  readonly options: KubectlOptions;
  readonly caches: Caches;
  /** A warning of the server was printed. */
  readonly onWarning: () => void;
}

function createCall(invocation: Invocation, { flags, commandPath, options, caches, onWarning }: CallOptions): Call {
  const { environment, shell, path } = invocation;
  const config = createConfigAccess({
    files: shell.files,
    path,
    named: flags.text('kubeconfig'),
    variable: environment.get('KUBECONFIG'),
    home: environment.get('HOME') ?? '',
  });
  let cluster: Promise<Cluster> | undefined;
  const globals = flags.subset(globalFlags);
  const call: Call = {
    ...invocation,
    flags,
    words: flags.words,
    commandPath,
    config,
    product: options.product ?? productByName('kubernetes'),
    columns: options.columns ?? 80,
    root: rootCommand,
    cluster: () => {
      cluster ??= createCluster(call, globals, { options, caches, onWarning });
      return cluster;
    },
    api: async () => (await call.cluster()).client,
    async namespace() {
      return { name: resolveNamespace(await config.loadPresent(), globals), explicit: globals.changed('namespace') };
    },
    onRequest: (request) => options.onRequest?.(request),
    localServers: options.localServers,
  };
  return call;
}

async function createCluster(
  call: Call,
  flags: Flags,
  { options, caches, onWarning }: Pick<CallOptions, 'options' | 'caches' | 'onWarning'>,
): Promise<Cluster> {
  const { shell, err } = call;
  const target = resolveTarget(await call.config.loadPresent(), flags);
  const limit = flags.text('request-timeout');
  const timeout = limit === '0' ? undefined : (await import('./request-timeout.ts')).parseRequestTimeout(call, limit);
  const headers = { 'user-agent': userAgent, ...authenticationHeaders(target, flags) };
  const handler = needsMoreThanHeaders(target, flags)
    ? await openTransport(call, { target, flags, connect: options.connect, host: options.plugins, known: caches.plugins })
    : options.connect(new URL(target.server).origin);
  // Without TLS, kubectl does not prompt for credentials.
  if (handler && target.server.startsWith('https:') && lacksCredentials(target.user)) await promptForCredentials(call);
  const logRequest = flags.int('v') >= 6 ? (await import('./log-requests.ts')).logRequest : undefined;
  const client = new ApiClient({
    server: target.server,
    handler,
    headers,
    impersonatedGroups: impersonatedGroups(target, flags),
    clock: shell.clock,
    signal: timeout?.signal ?? call.signal,
    timeout: timeout?.text,
    rename: (text) => call.product.rename(text),
    onWarning: (text) => {
      onWarning();
      err(`Warning: ${text}\n`);
    },
    onRequest: (request) => {
      call.onRequest(request);
      logRequest?.(call, request);
    },
  });
  const onFailure = async (error: unknown): Promise<void> => (await import('./log-requests.ts')).logDiscoveryFailure(call, error);
  return new Cluster({ client, discoveryCache: caches.discovery, onFailure, onWarning: (text) => err(`Warning: ${text}\n`) });
}

/** Loaded on demand: most users of a page have a token only. */
async function openTransport(
  call: Call,
  options: Pick<TransportOptions, 'target' | 'flags' | 'connect' | 'host' | 'known'>,
): Promise<ReturnType<Connect>> {
  const { createCallTransport } = await import('../kubeconfig/transport.ts');
  return createCallTransport(call, options);
}

/** kubectl prompts for a username when it has no credentials; there is no one to reply here. */
async function promptForCredentials({ out }: Call): Promise<never> {
  out('Please enter Username: ');
  throw new KubectlError('EOF');
}
