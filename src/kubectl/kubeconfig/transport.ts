import {
  ExecConfigError,
  ExecPlugin,
  ExecPluginError,
  type PluginHost,
  readExecConfig,
  toExecCluster,
  validateKeyPair,
  withExecPlugin,
} from '../../client/exec-plugin/index.ts';
import type { Clock, OutboundTls } from '../../env/index.ts';
import { type ApiHandler, base64ToBytes, isJsonObject, type JsonObject, textAt } from '../../meta/index.ts';
import type { FileSystem } from '../../shell/index.ts';
import type { Flags } from '../parse/flags.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, PlainError, UnreachableError } from '../program/errors.ts';
import { logLine } from '../program/log-line.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import type { ConfigAccess } from './access.ts';
import { type ConfigSection, entryOf } from './entries.ts';
import type { Target } from './resolve-target.ts';

/** Connects to the API at an origin with these TLS settings. */
export type Connect = (origin: string, tls?: OutboundTls) => ApiHandler | undefined;

/** Plugins with their cached credentials, keyed by their configuration. */
export type PluginCache = Map<string, ExecPlugin>;

export interface TransportOptions {
  readonly target: Target;
  readonly flags: Flags;
  readonly config: ConfigAccess;
  readonly files: FileSystem;
  readonly connect: Connect;
  /** Undefined where programs cannot run. */
  readonly host: PluginHost | undefined;
  readonly known: PluginCache;
  readonly clock: Clock;
  readonly rename: (text: string) => string;
  /** Why standard input is not available; empty when it is. */
  readonly stdinUsed: string;
  readonly onRefreshFailed: (why: string) => void;
}

/** Opens the transport for a kubectl command, with refresh failures logged in klog format. @throws KubectlError */
export function createCallTransport(
  call: Call,
  options: Pick<TransportOptions, 'target' | 'flags' | 'connect' | 'host' | 'known'>,
): Promise<ApiHandler | undefined> {
  const { config, shell, product, flags } = call;
  return createTransport({
    ...options,
    config,
    files: shell.files,
    clock: shell.clock,
    rename: (text) => product.rename(text),
    stdinUsed: flags.list('filename').includes('-') ? 'used by stdin resource manifest reader' : '',
    onRefreshFailed: (why) => call.err(logLine(call, 'E', 'exec.go:359', `refreshing credentials: ${why}`)),
  });
}

/** Opens the transport for users and clusters that need more than headers: certificates and plugins. @throws KubectlError */
export async function createTransport(options: TransportOptions): Promise<ApiHandler | undefined> {
  const { target, connect } = options;
  const tls = await readTls(options);
  const origin = new URL(target.server).origin;
  const exec = target.user['exec'];
  if (!isJsonObject(exec) || tls.identity || hasHeaderCredentials(target.user)) return connect(origin, tls);
  const plugin = findOrCreatePlugin(exec, tls, options);
  if (!connect(origin, tls)) return undefined;
  const handler = withExecPlugin({
    plugin,
    stdinUsed: options.stdinUsed,
    connect: (identity) => connect(origin, { ...tls, identity }) ?? unreachableHandler,
    onRefreshFailed: options.onRefreshFailed,
  });
  return (request) =>
    handler(request).catch((error: unknown) => {
      if (error instanceof ExecPluginError) throw new UnreachableError(request.method, origin + request.target, error.message);
      throw error;
    });
}

const unreachableHandler: ApiHandler = () => Promise.reject(new KubectlError('the server is out of reach'));

/** A token or password takes precedence over a plugin. Cf. client-go rest. */
function hasHeaderCredentials(user: JsonObject): boolean {
  return ['token', 'tokenFile', 'username'].some((name) => textAt(user, name) !== '');
}

function findOrCreatePlugin(
  exec: JsonObject,
  tls: OutboundTls,
  { target, host = noPluginHost, known, clock, rename, config }: TransportOptions,
): ExecPlugin {
  const read = rethrowConfigErrors(() => readExecConfig(exec, target.userName, rename));
  const folder = folderOf(config, 'users', target.userName);
  // The host looks up a bare name; a relative path starts at the folder of the kubeconfig file.
  const command = read.command.includes('/') && !read.command.startsWith('/') ? `${folder}/${read.command}` : read.command;
  const execConfig = { ...read, command };
  const cluster = toExecCluster(target.cluster, { server: target.server, authorities: tls.authorities ?? '', rename });
  const key = JSON.stringify([execConfig, cluster]);
  const plugin = known.get(key) ?? new ExecPlugin({ config: execConfig, cluster, host, clock, rename, parse: readOutput });
  known.set(key, plugin);
  return plugin;
}

const noPluginHost: PluginHost = { isTerminal: () => false, run: () => Promise.resolve({ how: 'not-found' }) };

async function readOutput(output: string): ReturnType<typeof readYaml> {
  if (/^\s*[{[]/.test(output)) return JSON.parse(output);
  return output.trim() === '' ? null : (readPlainYaml(output) ?? readYaml(output));
}

/** The TLS settings of kubeconfig and flags. @throws KubectlError */
async function readTls({ target, flags, config, files }: TransportOptions): Promise<OutboundTls> {
  const { cluster, user, userName, clusterName } = target;
  const problems: string[] = [];
  const reader = (section: 'clusters' | 'users', name: string, body: JsonObject) => async (field: string, short: string) => {
    const data = textAt(body, `${field}-data`);
    const flag = flags.text(field);
    if (flag === '' && data !== '') return new TextDecoder().decode(base64ToBytes(data));
    const written = flag || textAt(body, field);
    if (written === '') return undefined;
    const path = flag === '' && !written.startsWith('/') ? `${folderOf(config, section, name)}/${written}` : written;
    const content = await files.read(config.path(path));
    if (!content) problems.push(`unable to read ${short} ${path} for ${name} due to open ${path}: no such file or directory`);
    return content && new TextDecoder().decode(content);
  };
  const ofUser = reader('users', userName, user);
  const certificate = await ofUser('client-certificate', 'client-cert');
  const key = await ofUser('client-key', 'client-key');
  if (certificate !== undefined && key === undefined && problems.length === 0)
    problems.push(`client-key-data or client-key must be specified for ${userName} to use the clientCert authentication method.`);
  const authorities = await reader('clusters', clusterName, cluster)('certificate-authority', 'certificate-authority');
  rethrowConfigErrors(() => {
    if (problems.length > 0) throw new ExecConfigError(problems);
  });
  const unverified = flags.bool('insecure-skip-tls-verify') || cluster['insecure-skip-tls-verify'] === true;
  if (unverified && authorities !== undefined)
    throw new KubectlError('specifying a root certificates file with the insecure flag is not allowed');
  const identity = certificate === undefined || key === undefined ? undefined : { certificate, key };
  const wrong = identity && validateKeyPair(identity.certificate, identity.key);
  if (wrong !== undefined) throw new KubectlError(wrong);
  const serverName = flags.text('tls-server-name') || textAt(cluster, 'tls-server-name') || undefined;
  return { authorities, identity, serverName, unverified };
}

/** The folder of the kubeconfig file that defines the entry. Paths in the entry are relative to it. */
function folderOf({ loaded, file, path }: ConfigAccess, section: ConfigSection, name: string): string {
  const from = loaded.find(({ config }) => entryOf(config, section, name))?.name ?? file;
  return path(from).replace(/\/[^/]*$/, '');
}

/** Reports one problem as it is and several as a list. Cf. clientcmd. */
function rethrowConfigErrors<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExecConfigError)) throw error;
    const [first = '', ...more] = error.problems;
    if (more.length === 0) throw new KubectlError(first);
    throw new PlainError(`Error in configuration: \n${error.problems.map((one) => `* ${one}`).join('\n')}`);
  }
}
