import type { Authorizer } from './authorizer.ts';

/** Who bypasses every other rule (part 5.6 rule 7). */
const superGroup = 'system:masters';

export const superuserAuthorizer: Authorizer = {
  name: 'system:masters',
  authorize: ({ user }) =>
    Promise.resolve(
      user.groups.includes(superGroup)
        ? { verdict: 'allow', reason: '', evidence: `group ${superGroup}` }
        : { verdict: 'no-opinion', reason: '', evidence: '' },
    ),
};
