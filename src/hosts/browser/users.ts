import type { StaticTokens } from '../../cluster/index.ts';

/** The token of the user with all permissions. */
export const adminToken = 'admin-token';

/** The documented users of the page's cluster, as in the example token file of `serve`. */
export const pageUsers: StaticTokens = new Map([
  [adminToken, { username: 'admin', uid: 'u-admin', groups: ['system:masters'], extra: {} }],
  ['alice-token', { username: 'alice', uid: 'u-alice', groups: ['dev', 'qa'], extra: {} }],
  ['bob-token', { username: 'bob', uid: 'u-bob', groups: [], extra: {} }],
  ['node-token', { username: 'system:node:node-1', uid: 'u-node-1', groups: ['system:nodes'], extra: {} }],
]);
