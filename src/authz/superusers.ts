import { type Authorizer, type Decision, noOpinion, noRules } from './authorizer.ts';

/** Members bypass every other rule (part 5.6 rule 7). */
export const superGroup = 'system:masters';

const allowed: Decision = { verdict: 'allow', reason: '', evidence: `group ${superGroup}` };
const others = noOpinion('', '');

export const superuserAuthorizer: Authorizer = {
  name: superGroup,
  authorize: ({ user }) => (user.groups.includes(superGroup) ? allowed : others),
  rulesFor: () => noRules,
};
