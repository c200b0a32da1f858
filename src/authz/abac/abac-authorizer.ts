import type { Attributes, Identity } from '../attributes.ts';
import { type Authorizer, type Decision, noOpinion } from '../authorizer.ts';

/** One line of a policy file; empty strings stand for unset fields. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const noMatch: Decision = noOpinion('No policy matched.', 'ABAC: no policy matched');
const readVerbs: readonly string[] = ['get', 'list', 'watch'];

/** Authorizes by a list of policies. Cf. upstream pkg/auth/authorizer/abac. */
export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    name: 'ABAC',
    authorize(attributes) {
      const at = policies.findIndex((policy) => policyAllows(policy, attributes));
      return at < 0 ? noMatch : { verdict: 'allow', reason: '', evidence: `ABAC: policy ${at + 1}` };
    },
    rulesFor(user, namespace) {
      const own = policies.filter((policy) => subjectMatches(policy, user) && ['*', namespace].includes(policy.namespace));
      const verbsOf = ({ readonly }: AbacPolicy): readonly string[] => (readonly ? readVerbs : ['*']);
      return {
        resourceRules: own
          .filter(({ resource }) => resource !== '')
          .map((policy) => ({ verbs: verbsOf(policy), apiGroups: [policy.apiGroup], resources: [policy.resource], resourceNames: [] })),
        nonResourceRules: own
          .filter(({ nonResourcePath }) => nonResourcePath !== '')
          .map((policy) => ({ verbs: verbsOf(policy), nonResourceURLs: [policy.nonResourcePath] })),
        incomplete: false,
        error: '',
      };
    },
  };
}

function policyAllows(policy: AbacPolicy, attributes: Attributes): boolean {
  if (!subjectMatches(policy, attributes.user)) return false;
  if (policy.readonly && !readVerbs.includes(attributes.verb)) return false;
  return attributes.isResourceRequest ? resourceMatches(policy, attributes) : nonResourceMatches(policy, attributes.path);
}

/** A policy without user and group matches no subject. */
function subjectMatches({ user, group }: AbacPolicy, { username, groups }: Identity): boolean {
  if (user !== '' && user !== '*' && user !== username) return false;
  if (group !== '' && group !== '*' && !groups.includes(group)) return false;
  return user !== '' || group !== '';
}

function resourceMatches(policy: AbacPolicy, { namespace, resource, group }: Attributes): boolean {
  const covers = (pattern: string, one: string): boolean => pattern === '*' || pattern === one;
  return covers(policy.namespace, namespace) && covers(policy.resource, resource) && covers(policy.apiGroup, group);
}

function nonResourceMatches({ nonResourcePath }: AbacPolicy, path: string): boolean {
  if (nonResourcePath === path) return true;
  return nonResourcePath.endsWith('*') && path.startsWith(nonResourcePath.replace(/(?<!\*)\*+$/, ''));
}
