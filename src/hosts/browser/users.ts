import type { ClusterOptions } from '../../cluster/index.ts';

/** The users of the page's cluster, as documented: the same that `serve` has in its example token file. */
export const pageUsers: ClusterOptions['tokens'] = new Map([
  ['admin-token', user('admin', ['system:masters'])],
  ['alice-token', user('alice', ['dev', 'qa'])],
  ['bob-token', user('bob', [])],
]);

function user(
  username: string,
  groups: readonly string[],
): { username: string; uid: string; groups: readonly string[]; extra: Record<string, never> } {
  return { username, uid: `u-${username}`, groups, extra: {} };
}
