import { expect, test } from 'vitest';
import { productByName, type StageTrace } from '../../meta/index.ts';
import { suggestGrant } from './grant.ts';

const stage = (name: string, verdict: string, detail = ''): StageTrace => ({ stage: name, verdict, detail, ms: 0 });
const refused = (message: string, verdict = 'no-opinion') => ({
  status: 403,
  stages: [stage('authn', 'authenticated'), stage('authz', verdict), stage('refused', '403', message)],
});
const product = productByName('kubernetes');

test('a denial in a namespace suggests a Role and RoleBinding', () => {
  const message = 'pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "shop"';
  expect(suggestGrant(refused(message), product)).toBe(`apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: get-pods-log
  namespace: shop
rules:
- apiGroups: [""]
  resources: ["pods/log"]
  resourceNames: ["p"]
  verbs: ["get"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: get-pods-log
  namespace: shop
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: get-pods-log
subjects:
- apiGroup: rbac.authorization.k8s.io
  kind: User
  name: "alice"
`);
});

test('at the cluster scope suggests a ClusterRole, and service accounts as subjects', () => {
  const message =
    'nodes is forbidden: User "system:serviceaccount:ns:robot" cannot list resource "nodes" in API group "" at the cluster scope';
  const yaml = suggestGrant(refused(message), product);
  expect(yaml).toContain('kind: ClusterRoleBinding');
  expect(yaml).toContain('- kind: ServiceAccount\n  name: robot\n  namespace: ns\n');
  expect(yaml).not.toContain('resourceNames');
});

test('grants a non-resource path, under the names of the product', () => {
  const yaml = suggestGrant(refused('forbidden: User "bob" cannot get path "/metrics"'), productByName('svc'));
  expect(yaml).toContain('- nonResourceURLs: ["/metrics"]\n  verbs: ["get"]\n');
  expect(yaml).not.toContain('k8s.io');
});

test('suggests no role for a rejection of admission', () => {
  const message = 'pods "p" is forbidden: exceeded quota';
  expect(suggestGrant(refused(message, 'allow'), product)).toBeUndefined();
  expect(suggestGrant({ status: 404, stages: [] }, product)).toBeUndefined();
});
