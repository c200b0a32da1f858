import type { StaticTokens } from '../../cluster/index.ts';

/** The documented users of the page's cluster, as in the example token file of `serve`. */
export const pageUsers: StaticTokens = new Map([
  ['admin-token', { username: 'admin', uid: 'u-admin', groups: ['system:masters'], extra: {} }],
  ['alice-token', { username: 'alice', uid: 'u-alice', groups: ['dev', 'qa'], extra: {} }],
  ['bob-token', { username: 'bob', uid: 'u-bob', groups: [], extra: {} }],
  ['node-token', { username: 'system:node:node-1', uid: 'u-node-1', groups: ['system:nodes'], extra: {} }],
]);
