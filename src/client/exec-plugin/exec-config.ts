import { type JsonObject, objectsAt, sortMembers, textAt } from '../../meta/index.ts';

/** The `exec` entry of a kubeconfig user (part 5.5). */
export interface ExecConfig {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** The version of the ExecCredential input and output. */
  readonly apiVersion: string;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

/** Cluster information for plugins, sent when `provideClusterInfo` is set. Members are in the order in which client-go writes them. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: true;
  /** Base64. */
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: true;
  /** The extension `client.authentication.k8s.io/exec` of the kubeconfig cluster. */
  readonly config: unknown;
}

/** An invalid `exec` entry. The messages are those of client-go. */
export class ExecConfigError extends Error {
  override readonly name = 'ExecConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join(', '));
    this.problems = problems;
  }
}

const modes = ['Never', 'IfAvailable', 'Always'] as const;
/** The names of the product `kubernetes`; others are renamed. */
export const execGroup = 'client.authentication.k8s.io';
export const execVersions = ['v1', 'v1beta1'] as const;

/** Validates the `exec` entry of the user `userName`. Returns the messages of client-go. */
export function validateExecConfig(exec: JsonObject, userName: string, rename: (text: string) => string): readonly string[] {
  const mode = interactiveModeOf(exec, rename);
  const needed = (what: string): string => `${what} must be specified for ${userName} to use exec authentication plugin`;
  return [
    ...(textAt(exec, 'command') === '' ? [needed('command')] : []),
    ...(textAt(exec, 'apiVersion') === '' ? [needed('apiVersion')] : []),
    ...objectsAt(exec, 'env').flatMap((one) => (textAt(one, 'name') === '' ? [needed('env variable name')] : [])),
    ...(mode === '' ? [needed('interactiveMode')] : []),
    ...(mode !== '' && !modes.some((one) => one === mode) ? [`invalid interactiveMode for ${userName}: ${JSON.stringify(mode)}`] : []),
  ];
}

/** `v1beta1` has a default for the field, `v1` requires it. */
function interactiveModeOf(exec: JsonObject, rename: (text: string) => string): string {
  const written = textAt(exec, 'interactiveMode');
  return written === '' && textAt(exec, 'apiVersion') === rename(`${execGroup}/v1beta1`) ? 'IfAvailable' : written;
}

/** Parses the `exec` entry of the user `userName`. @throws ExecConfigError */
export function readExecConfig(exec: JsonObject, userName: string, rename: (text: string) => string): ExecConfig {
  const [command, apiVersion, mode] = [textAt(exec, 'command'), textAt(exec, 'apiVersion'), interactiveModeOf(exec, rename)];
  const interactiveMode = modes.find((one) => one === mode);
  const problems = validateExecConfig(exec, userName, rename);
  if (problems.length > 0 || !interactiveMode) throw new ExecConfigError(problems);
  if (!execVersions.some((version) => apiVersion === rename(`${execGroup}/${version}`)))
    throw new ExecConfigError([`exec plugin: invalid apiVersion ${JSON.stringify(apiVersion)}`]);
  return {
    command,
    apiVersion,
    env: objectsAt(exec, 'env').map((one) => ({ name: textAt(one, 'name'), value: textAt(one, 'value') })),
    interactiveMode,
    args: Array.isArray(exec['args']) ? exec['args'].map(String) : [],
    installHint: escapeControlCharacters(textAt(exec, 'installHint')),
    provideClusterInfo: exec['provideClusterInfo'] === true,
  };
}

/** The cluster information for plugins. `authorities` is the PEM of the kubeconfig or of the file that it names. */
export function toExecCluster(
  cluster: JsonObject,
  { server, authorities, rename }: { readonly server: string; readonly authorities: string; readonly rename: (text: string) => string },
): ExecCluster {
  const extension = objectsAt(cluster, 'extensions').find(({ name }) => name === rename(`${execGroup}/exec`));
  const [serverName, proxy] = [textAt(cluster, 'tls-server-name'), textAt(cluster, 'proxy-url')];
  return {
    server,
    ...(serverName === '' ? {} : { 'tls-server-name': serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authorities === '' ? {} : { 'certificate-authority-data': btoa(authorities) }),
    ...(proxy === '' ? {} : { 'proxy-url': proxy }),
    ...(cluster['disable-compression'] === true ? { 'disable-compression': true } : {}),
    config: sortMembers(extension?.['extension'] ?? null),
  };
}

/** Escapes control characters: terminals would interpret those of an install hint. */
function escapeControlCharacters(text: string): string {
  return [...text].map((char) => (/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/u.test(char) ? char : codePointName(char))).join('');
}

function codePointName(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
