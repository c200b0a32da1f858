import { type Authorizer, type Decision, noOpinion, noRules } from './authorizer.ts';

/** Members bypass every other rule (part 5.6 rule 7). */
export const systemPrivilegedGroup = 'system:masters';

const allowed: Decision = { verdict: 'allow', reason: '', evidence: `group ${systemPrivilegedGroup}` };
const others = noOpinion('', '');

export const privilegedGroupAuthorizer: Authorizer = {
  name: systemPrivilegedGroup,
  authorize: ({ user }) => (user.groups.includes(systemPrivilegedGroup) ? allowed : others),
  rulesFor: () => noRules,
};
