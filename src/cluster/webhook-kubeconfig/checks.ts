import { validateExecConfig } from '../../client/exec-plugin/index.ts';
import { isJsonObject, type JsonObject, textAt } from '../../meta/index.ts';
import { type CurrentContext, KubeconfigError } from './document.ts';

/** The system's error message for an unreadable file; undefined: the file is readable. */
export type ReadFileProblem = (path: string) => Promise<string | undefined>;

export interface KubeconfigCheck {
  readonly context: CurrentContext;
  /** Resolves a path relative to the kubeconfig. */
  readonly pathOf: (written: string) => string;
  readonly problemOf: ReadFileProblem;
  readonly rename: (text: string) => string;
}

/** A context with an existing cluster. */
export interface UsableContext extends CurrentContext {
  readonly cluster: JsonObject;
}

const noServer = 'cluster has no server defined';

/** Validates the cluster and user of the current context. Cf. client-go clientcmd ConfirmUsable. @throws KubeconfigError */
export async function validateContext(checked: KubeconfigCheck): Promise<UsableContext> {
  const { found, name, cluster } = checked.context;
  const problems = [
    ...(found ? [] : [`context was not found for specified context: ${name}`]),
    ...(await userProblems(checked)),
    ...(await clusterProblems(checked)),
  ];
  if (problems.length === 0 && cluster) return { ...checked.context, cluster };
  const [first = '', ...more] = problems;
  if (more.length > 0) throw new KubeconfigError(`invalid configuration: [${problems.join(', ')}]`);
  const shown = first === noServer ? 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable' : first;
  throw new KubeconfigError(`invalid configuration: ${shown}`);
}

async function userProblems(checked: KubeconfigCheck): Promise<readonly string[]> {
  const { user, userName } = checked.context;
  const has = (field: string): boolean => textAt(user, field) !== '';
  const methods = [...(has('token') ? ['token'] : []), ...(has('username') || has('password') ? ['basicAuth'] : [])];
  const asNobody = !has('as') && (has('as-uid') || isNonEmpty(user['as-groups']) || isNonEmpty(user['as-user-extra']));
  return [
    ...(has('client-certificate') || has('client-certificate-data') ? await certificateProblems(checked, has) : []),
    ...pluginProblems(user, userName, checked.rename),
    ...(methods.length > 1
      ? [`more than one authentication method found for ${userName}; found [${methods.join(' ')}], only one is allowed`]
      : []),
    ...(asNobody ? [`requesting uid, groups or user-extra for ${userName} without impersonating a user`] : []),
  ];
}

async function certificateProblems(checked: KubeconfigCheck, has: (field: string) => boolean): Promise<readonly string[]> {
  const { userName: name } = checked.context;
  return [
    ...(has('client-certificate') && has('client-certificate-data')
      ? [`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`]
      : []),
    ...(has('client-key') && has('client-key-data')
      ? [`client-key-data and client-key are both specified for ${name}; client-key-data will override`]
      : []),
    ...(has('client-key') || has('client-key-data')
      ? []
      : [`client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`]),
    ...(await unreadableFileProblems(checked, 'user', 'client-certificate', 'client-cert')),
    ...(await unreadableFileProblems(checked, 'user', 'client-key', 'client-key')),
  ];
}

function pluginProblems(user: JsonObject, name: string, rename: (text: string) => string): readonly string[] {
  const { exec } = user;
  if (!isJsonObject(exec)) return [];
  const isBoth = isJsonObject(user['auth-provider']);
  return [
    ...(isBoth ? [`authProvider cannot be provided in combination with an exec plugin for ${name}`] : []),
    ...validateExecConfig(exec, name, rename),
  ];
}

const proxySchemes = ['http:', 'https:', 'socks5:'];

async function clusterProblems(checked: KubeconfigCheck): Promise<readonly string[]> {
  const { cluster, clusterName: name } = checked.context;
  if (cluster === undefined) return [noServer];
  const proxy = textAt(cluster, 'proxy-url');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(proxy)?.[1] ?? '';
  const both = textAt(cluster, 'certificate-authority') !== '' && textAt(cluster, 'certificate-authority-data') !== '';
  return [
    ...(textAt(cluster, 'server') === '' ? [`no server found for cluster ${JSON.stringify(name)}`] : []),
    ...(proxy !== '' && !proxySchemes.includes(`${scheme.toLowerCase()}:`)
      ? [
          `invalid 'proxy-url' ${JSON.stringify(proxy)} for cluster ${JSON.stringify(name)}: unsupported scheme ${JSON.stringify(scheme)}, must be http, https, or socks5`,
        ]
      : []),
    ...(both
      ? [`certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`]
      : []),
    ...(await unreadableFileProblems(checked, 'cluster', 'certificate-authority', 'certificate-authority')),
  ];
}

async function unreadableFileProblems(
  { context, pathOf, problemOf }: KubeconfigCheck,
  section: 'cluster' | 'user',
  field: string,
  shown: string,
): Promise<readonly string[]> {
  const written = textAt(context[section] ?? {}, field);
  if (written === '') return [];
  const path = pathOf(written);
  const problem = await problemOf(path);
  return problem === undefined ? [] : [`unable to read ${shown} ${path} for ${context[`${section}Name`]} due to ${problem}`];
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
