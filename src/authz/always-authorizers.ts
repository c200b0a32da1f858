import { type Authorizer, type Decision, noOpinion, noRules, type RuleList } from './authorizer.ts';

const allowed: Decision = { verdict: 'allow', reason: '', evidence: 'mode AlwaysAllow' };
const forbidden = noOpinion('Everything is forbidden.', 'mode AlwaysDeny');
const everything: RuleList = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  error: '',
};

export const alwaysAllowAuthorizer: Authorizer = { name: 'AlwaysAllow', authorize: () => allowed, rulesFor: () => everything };

/** Returns no opinion instead of deny: a later authorizer may still allow. */
export const alwaysDenyAuthorizer: Authorizer = { name: 'AlwaysDeny', authorize: () => forbidden, rulesFor: () => noRules };
