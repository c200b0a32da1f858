import { clusterOrigin, identities } from './identities.ts';

/** The kubeconfig of a new home, with one context per identity. Keys are sorted, as kubectl writes them. */
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
