/** Who one can be in the page's own cluster: the documented users (they are the same under `serve`), and nobody. */
export interface Identity {
  readonly name: string;
  readonly groups: readonly string[];
  /** Undefined for one who sends no credentials. */
  readonly token: string | undefined;
}

export const identities: readonly Identity[] = [
  { name: 'admin', groups: ['system:masters'], token: 'admin-token' },
  { name: 'alice', groups: ['dev', 'qa'], token: 'alice-token' },
  { name: 'bob', groups: [], token: 'bob-token' },
  { name: 'anonymous', groups: ['system:unauthenticated'], token: undefined },
];

/** The context of one who tries to be somebody else. */
export const tryContext = 'try-as';

export const homeDirectory = '/home/me';
export const kubeconfigPath: string = `${homeDirectory}/.kube/config`;

export const clusterOrigin = 'https://cluster.local';

/** How requests say who sends them. */
export interface Credentials {
  /** Empty for one who sends none. */
  readonly token: string;
  /** Whom the user asks to be, and with which groups; empty for himself. */
  readonly as: string;
  readonly asGroups: readonly string[];
  /** A certificate or a plugin says who sends them, not a header alone. */
  readonly ownWay: boolean;
}

export interface CurrentContext {
  readonly name: string;
  readonly user: string;
  readonly namespace: string;
  readonly credentials: Credentials;
}

/** What a kubeconfig says of who and where, read line by line: kubectl is what writes the file, and the menu needs no more. */
export function currentContext(kubeconfig: string): CurrentContext {
  const name = unquoted(/^current-context:[ \t]*(.*)$/m.exec(kubeconfig)?.[1] ?? '');
  const context = entryNamed(kubeconfig, 'contexts', name);
  const user = fieldOf(context, 'user');
  return {
    name,
    user,
    namespace: fieldOf(context, 'namespace') || 'default',
    credentials: credentialsOf(entryNamed(kubeconfig, 'users', user)),
  };
}

function credentialsOf(entry: string): Credentials {
  const groups = /\n[ \t]*as-groups:[ \t]*\n((?:[ \t]*- .*(?:\n|$))*)/.exec(entry)?.[1] ?? '';
  return {
    ownWay: /\n[ \t]+(?:exec|client-certificate\S*):/.test(entry),
    token: fieldOf(entry, 'token'),
    as: fieldOf(entry, 'as'),
    asGroups: [...groups.matchAll(/- (.*)/g)].map(([, group = '']) => unquoted(group)),
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

/** The lines of the entry with this name in a section; empty when there is none. */
function entryNamed(kubeconfig: string, section: string, name: string): string {
  const lines = new RegExp(`^${section}:[ \\t]*\\n((?:[ \\t-].*\\n?)*)`, 'm').exec(kubeconfig)?.[1] ?? '';
  const entries = `\n${lines}`.split(/\n[ \t]*- (?=(?:name|context|user):)/);
  return name === '' ? '' : (entries.find((entry) => fieldOf(entry, 'name') === name) ?? '');
}

function fieldOf(entry: string, key: string): string {
  return unquoted(new RegExp(`(?:^|\\n)[ \\t]*${key}:[ \\t]*(\\S.*)`).exec(entry)?.[1] ?? '');
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
