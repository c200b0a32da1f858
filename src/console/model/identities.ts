/** A user of the page's cluster: a documented user (the same as with `serve`), or anonymous. */
export interface Identity {
  readonly name: string;
  readonly groups: readonly string[];
  /** Undefined for the anonymous user. */
  readonly token: string | undefined;
}

export const identities: readonly Identity[] = [
  { name: 'admin', groups: ['system:masters'], token: 'admin-token' },
  { name: 'alice', groups: ['dev', 'qa'], token: 'alice-token' },
  { name: 'bob', groups: [], token: 'bob-token' },
  { name: 'anonymous', groups: ['system:unauthenticated'], token: undefined },
];

/** The kubeconfig context for impersonation. */
export const tryContext = 'try-as';

export const homeDirectory = '/home/me';
export const kubeconfigPath: string = `${homeDirectory}/.kube/config`;

/** `~/pod.yaml` for a file of the home directory. */
export function shortenPath(path: string): string {
  return path.startsWith(`${homeDirectory}/`) ? `~${path.slice(homeDirectory.length)}` : path;
}

export const clusterOrigin = 'https://cluster.local';

/** Credentials of the current context. */
export interface Credentials {
  /** Bearer token, empty for none. */
  readonly token: string;
  /** Impersonated user and groups, empty for none. */
  readonly as: string;
  readonly asGroups: readonly string[];
  /** Whether a client certificate or an exec plugin authenticates, so that headers alone do not suffice. */
  readonly needsTransport: boolean;
}

export interface CurrentContext {
  readonly name: string;
  readonly user: string;
  readonly namespace: string;
  readonly credentials: Credentials;
}

/** Reads user and namespace of the current context line by line. Kubectl writes the file, so a YAML parser is not needed for the menu. */
export function parseCurrentContext(kubeconfig: string): CurrentContext {
  const name = unquote(/^current-context:[ \t]*(.*)$/m.exec(kubeconfig)?.[1] ?? '');
  const context = findEntry(kubeconfig, 'contexts', name);
  const user = fieldOf(context, 'user');
  return {
    name,
    user,
    namespace: fieldOf(context, 'namespace') || 'default',
    credentials: parseCredentials(findEntry(kubeconfig, 'users', user)),
  };
}

function parseCredentials(entry: string): Credentials {
  const groups = /\n[ \t]*as-groups:[ \t]*\n((?:[ \t]*- .*(?:\n|$))*)/.exec(entry)?.[1] ?? '';
  return {
    needsTransport: /\n[ \t]+(?:exec|client-certificate\S*):/.test(entry),
    token: fieldOf(entry, 'token'),
    as: fieldOf(entry, 'as'),
    asGroups: [...groups.matchAll(/- (.*)/g)].map(([, group = '']) => unquote(group)),
  };
}

/** The headers of a request with these credentials. */
export function credentialHeaders({ token, as, asGroups }: Credentials): [name: string, value: string][] {
  return [
    ...(token === '' ? [] : [['authorization', `Bearer ${token}`] satisfies [string, string]]),
    ...(as === '' ? [] : [['impersonate-user', as] satisfies [string, string]]),
    ...asGroups.map((group): [string, string] => ['impersonate-group', group]),
  ];
}

/** The lines of the named entry of a section, empty when not found. */
function findEntry(kubeconfig: string, section: string, name: string): string {
  const lines = new RegExp(`^${section}:[ \\t]*\\n((?:[ \\t-].*\\n?)*)`, 'm').exec(kubeconfig)?.[1] ?? '';
  const entries = `\n${lines}`.split(/\n[ \t]*- (?=(?:name|context|user):)/);
  return name === '' ? '' : (entries.find((entry) => fieldOf(entry, 'name') === name) ?? '');
}

function fieldOf(entry: string, key: string): string {
  return unquote(new RegExp(`(?:^|\\n)[ \\t]*${key}:[ \\t]*(\\S.*)`).exec(entry)?.[1] ?? '');
}

function unquote(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
