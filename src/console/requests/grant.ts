import type { Product, StageTrace } from '../../meta/index.ts';
import type { RequestRecord } from '../model/request-log.ts';

/** `pods "p" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "n"`. */
const forbiddenPattern =
  /^(?:\S+(?: "(?<name>[^"]*)")? is )?forbidden: User "(?<user>[^"]*)" cannot (?<verb>\S+) (?:path "(?<path>[^"]*)"|resource "(?<resource>[^"]*)" in API group "(?<group>[^"]*)" (?:at the cluster scope|in the namespace "(?<namespace>[^"]*)"))/;

type DeniedRequest = Readonly<Record<string, string | undefined>>;

/** The minimal role, bound to the requester, that would allow a request; undefined unless authorization denied it. */
export function suggestGrant({ status, stages }: Pick<RequestRecord, 'status' | 'stages'>, product: Product): string | undefined {
  const last = stages.at(-1);
  if (status !== 403 || last?.stage !== 'refused' || !isAuthorizationDenied(stages)) return undefined;
  const denied: DeniedRequest | undefined = forbiddenPattern.exec(last.detail)?.groups;
  return denied && roleAndBinding(denied, product.rename('rbac.authorization.k8s.io'));
}

/** Admission rejects with the same status, but then a role does not help. */
function isAuthorizationDenied(stages: readonly StageTrace[]): boolean {
  const decision = stages.findLast(({ stage }) => stage === 'authz');
  return decision !== undefined && decision.verdict !== 'allow';
}

function roleAndBinding(denied: DeniedRequest, group: string): string {
  const { namespace, verb = '', resource = 'path', user = '' } = denied;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const name = `${verb}-${resource.replace('/', '-')}`.replaceAll('*', 'all');
  const metadata = `metadata:\n  name: ${name}\n${namespace === undefined ? '' : `  namespace: ${namespace}\n`}`;
  return `apiVersion: ${group}/v1
kind: ${kind}
${metadata}rules:
${ruleOf(denied)}---
apiVersion: ${group}/v1
kind: ${kind}Binding
${metadata}roleRef:
  apiGroup: ${group}
  kind: ${kind}
  name: ${name}
subjects:
${subjectOf(user, group)}`;
}

function ruleOf({ path, group = '', resource = '', name, verb = '' }: DeniedRequest): string {
  const quoted = JSON.stringify(verb);
  if (path !== undefined) return `- nonResourceURLs: [${JSON.stringify(path)}]\n  verbs: [${quoted}]\n`;
  // A created object has no name yet, and a list has none.
  const isNamed = name !== undefined && !['create', 'list', 'watch', 'deletecollection'].includes(verb);
  const names = isNamed ? `  resourceNames: [${JSON.stringify(name)}]\n` : '';
  return `- apiGroups: [${JSON.stringify(group)}]\n  resources: [${JSON.stringify(resource)}]\n${names}  verbs: [${quoted}]\n`;
}

function subjectOf(user: string, group: string): string {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  if (name !== undefined) return `- kind: ServiceAccount\n  name: ${name}\n  namespace: ${namespace}\n`;
  return `- apiGroup: ${group}\n  kind: User\n  name: ${JSON.stringify(user)}\n`;
}
