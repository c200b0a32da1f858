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

export const clusterOrigin = 'https://cluster.local';

/** The kubeconfig of a new home, one context an identity. Written as kubectl writes it, keys in order. */
export function newKubeconfig(server: string = clusterOrigin): string {
  const contexts = identities.map(({ name }) => `- context:\n    cluster: local\n    user: ${name}\n  name: ${name}`);
  const users = identities.map(({ name, token }) => `- name: ${name}\n  user:${token === undefined ? ' {}' : `\n    token: ${token}`}`);
  const clusters = `- cluster:\n    server: ${server}\n  name: local`;
  return [
    'apiVersion: v1',
    `clusters:\n${clusters}`,
    `contexts:\n${contexts.join('\n')}`,
    'current-context: admin',
    'kind: Config',
    'preferences: {}',
    `users:\n${users.join('\n')}`,
    '',
  ].join('\n');
}

export interface CurrentContext {
  readonly name: string;
  readonly user: string;
  readonly namespace: string;
}

/** What a kubeconfig says of who and where, read line by line: kubectl is what writes the file, and the menu needs no more. */
export function currentContext(kubeconfig: string): CurrentContext {
  const name = unquoted(/^current-context:[ \t]*(.*)$/m.exec(kubeconfig)?.[1] ?? '');
  const section = /^contexts:[ \t]*\n((?:[ \t-].*\n?)*)/m.exec(kubeconfig)?.[1] ?? '';
  for (const entry of `\n${section}`.split(/\n[ \t]*- /)) {
    const field = (key: string): string => unquoted(new RegExp(`(?:^|\\n)[ \\t]*${key}:[ \\t]*(\\S.*)`).exec(entry)?.[1] ?? '');
    if (field('name') === name) return { name, user: field('user'), namespace: field('namespace') || 'default' };
  }
  return { name, user: '', namespace: 'default' };
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
