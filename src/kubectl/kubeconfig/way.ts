import {
  ExecConfigError,
  ExecPlugin,
  ExecPluginError,
  execClusterOf,
  type PluginHost,
  pairProblem,
  readExecConfig,
  withExecPlugin,
} from '../../client/exec-plugin/index.ts';
import type { Clock, OutboundTls } from '../../env/index.ts';
import { type ApiHandler, base64ToBytes, isJsonObject, type JsonObject, textAt } from '../../meta/index.ts';
import type { Flags } from '../parse/flags.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, PlainError, UnreachableError } from '../program/errors.ts';
import type { FileSystem } from '../shell/files.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { type ConfigAccess, type ConfigSection, entryOf } from './access.ts';
import type { Target } from './resolve.ts';

/** The API behind an origin, by a connection that is trusted, and shows who one is, in this way. */
export type Connect = (origin: string, tls?: OutboundTls) => ApiHandler | undefined;

/** Plugins with what they gave, by all that they are given. */
export type KnownPlugins = Map<string, ExecPlugin>;

export interface WayOptions {
  readonly target: Target;
  readonly flags: Flags;
  readonly config: ConfigAccess;
  readonly files: FileSystem;
  readonly connect: Connect;
  /** Absent where no program can be run. */
  readonly host: PluginHost | undefined;
  readonly known: KnownPlugins;
  readonly clock: Clock;
  readonly rename: (text: string) => string;
  /** By whom the standard input is read; empty for nobody. */
  readonly stdinUsed: string;
  readonly onRefreshFailed: (why: string) => void;
}

/** The same for a command of kubectl; `log` writes a line as klog does. @throws KubectlError */
export function openCallsWay(
  { config, shell, product, flags: given }: Call,
  way: Pick<WayOptions, 'target' | 'flags' | 'connect' | 'host' | 'known'>,
  log: (place: string, text: string) => void,
): Promise<ApiHandler | undefined> {
  return openWay({
    ...way,
    config,
    files: shell.files,
    clock: shell.clock,
    rename: (text) => product.rename(text),
    stdinUsed: given.list('filename').includes('-') ? 'used by stdin resource manifest reader' : '',
    onRefreshFailed: (why) => log('exec.go:359', `refreshing credentials: ${why}`),
  });
}

/** The way to a server for users and clusters that need more than a header: certificates and plugins. @throws KubectlError */
export async function openWay(options: WayOptions): Promise<ApiHandler | undefined> {
  const { target, connect } = options;
  const tls = await readTls(options);
  const origin = new URL(target.server).origin;
  const exec = target.user['exec'];
  if (!isJsonObject(exec) || tls.identity || hasOwnHeader(target.user)) return connect(origin, tls);
  const plugin = pluginOf(exec, tls, options);
  if (!connect(origin, tls)) return undefined;
  const handler = withExecPlugin({
    plugin,
    stdinUsed: options.stdinUsed,
    connect: (identity) => connect(origin, { ...tls, identity }) ?? unconnected,
    onRefreshFailed: options.onRefreshFailed,
  });
  return (request) =>
    handler(request).catch((error: unknown) => {
      if (error instanceof ExecPluginError) throw new UnreachableError(request.method, origin + request.target, error.message);
      throw error;
    });
}

const unconnected: ApiHandler = () => Promise.reject(new KubectlError('the server is out of reach'));

/** Cf. client-go rest: who has a token or a password needs no plugin. */
function hasOwnHeader(user: JsonObject): boolean {
  return ['token', 'tokenFile', 'username'].some((name) => textAt(user, name) !== '');
}

function pluginOf(exec: JsonObject, tls: OutboundTls, { target, host = noPrograms, known, clock, rename, config }: WayOptions): ExecPlugin {
  const read = problemsAsErrors(() => readExecConfig(exec, target.userName, rename));
  const folder = folderOf(config, 'users', target.userName);
  // A name alone is looked for as the host does; a path is one beside the file that names it.
  const command = read.command.includes('/') && !read.command.startsWith('/') ? `${folder}/${read.command}` : read.command;
  const execConfig = { ...read, command };
  const cluster = execClusterOf(target.cluster, { server: target.server, authorities: tls.authorities ?? '', rename });
  const key = JSON.stringify([execConfig, cluster]);
  const plugin = known.get(key) ?? new ExecPlugin({ config: execConfig, cluster, host, clock, rename, parse: readOutput });
  known.set(key, plugin);
  return plugin;
}

const noPrograms: PluginHost = { isTerminal: () => false, run: () => Promise.resolve({ how: 'not-found' }) };

async function readOutput(output: string): ReturnType<typeof readYaml> {
  if (/^\s*[{[]/.test(output)) return JSON.parse(output);
  return output.trim() === '' ? null : (readPlainYaml(output) ?? readYaml(output));
}

/** What the kubeconfig and the flags say of certificates. @throws KubectlError */
async function readTls({ target, flags, config, files }: WayOptions): Promise<OutboundTls> {
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
  problemsAsErrors(() => {
    if (problems.length > 0) throw new ExecConfigError(problems);
  });
  const unverified = flags.bool('insecure-skip-tls-verify') || cluster['insecure-skip-tls-verify'] === true;
  if (unverified && authorities !== undefined)
    throw new KubectlError('specifying a root certificates file with the insecure flag is not allowed');
  const identity = certificate === undefined || key === undefined ? undefined : { certificate, key };
  const wrong = identity && pairProblem(identity.certificate, identity.key);
  if (wrong !== undefined) throw new KubectlError(wrong);
  const serverName = flags.text('tls-server-name') || textAt(cluster, 'tls-server-name') || undefined;
  return { authorities, identity, serverName, unverified };
}

/** Where the file is that an entry comes from: what the entry names is looked for there. */
function folderOf({ loaded, file, path }: ConfigAccess, section: ConfigSection, name: string): string {
  const from = loaded.find(({ config }) => entryOf(config, section, name))?.name ?? file;
  return path(from).replace(/\/[^/]*$/, '');
}

/** Cf. clientcmd: one problem is told as it is, several as a list. */
function problemsAsErrors<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExecConfigError)) throw error;
    const [first = '', ...more] = error.problems;
    if (more.length === 0) throw new KubectlError(first);
    throw new PlainError(`Error in configuration: \n${error.problems.map((one) => `* ${one}`).join('\n')}`);
  }
}
