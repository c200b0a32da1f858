import { expect, test } from 'vitest';
import type { ClusterQuery, QueryResult, QueryRunner } from './cluster-queries.ts';
import { parseComparison, shortName, splitConjunction } from './comparison.ts';
import { type CheckResult, compileCheck } from './compile-check.ts';
import { createCheckLanguage, type StepFacts } from './expressions.ts';

const facts: StepFacts = {
  commands: [{ line: 'kubectl get pods', exit: 1, stdout: '' }],
  requests: [{ user: 'alice', method: 'GET', path: '/api/v1/pods', code: 403 }],
  files: { 'role.yaml': 'kind: Role' },
  step: { started: '2026-01-01T00:00:00Z' },
};

const web = { metadata: { name: 'web' }, spec: { replicas: 2 } };

function fakeQueries(answer: (question: ClusterQuery) => QueryResult): QueryRunner {
  return { run: async (question) => answer(question), takeQueriedPaths: () => [] };
}

function evaluateCheck(cel: string, answer: (question: ClusterQuery) => QueryResult = () => null): Promise<CheckResult> {
  return compileCheck(cel, createCheckLanguage())(facts, fakeQueries(answer));
}

test.each([
  'requests.exists(r, r.user == "alice" && r.code == 403)',
  'commands.exists(c, c.line.startsWith("kubectl") && c.exit == 1)',
  'files["role.yaml"].contains("Role")',
  'timestamp(step.started) < timestamp("2027-01-01T00:00:00Z")',
  '!has(get("v1", "Pod", "default", "web"))',
  'size(list("v1", "Pod", "default", "a=b")) == 0',
])('%s holds', async (cel) => {
  expect(await evaluateCheck(cel, ({ of }) => (of === 'objects' ? [] : null))).toMatchObject({ passed: true, broken: '' });
});

test('queries objects by address and access by user', async () => {
  const queries: ClusterQuery[] = [];
  await evaluateCheck('has(get("v1", "Pod", "default", "web")) || can("alice", "list", "pods", "default")', (question) => {
    queries.push(question);
    return question.of === 'access' ? true : null;
  });
  expect(queries).toEqual([
    { of: 'object', apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web' },
    { of: 'access', user: 'alice', verb: 'list', resource: 'pods', namespace: 'default', name: '' },
  ]);
});

test.each([
  ['get("apps/v1", "Deployment", "default", "web").spec.replicas == 3', 'spec.replicas is 2, expected 3'],
  [
    'has(get("apps/v1", "Deployment", "default", "web")) && get("apps/v1", "Deployment", "default", "web").spec.replicas == 3',
    'spec.replicas is 2, expected 3',
  ],
  ['get("apps/v1", "Deployment", "default", "web").spec.paused == true', 'spec.paused is not set, expected true'],
  ['get("apps/v1", "Deployment", "default", "web").spec.replicas > 3', 'spec.replicas is 2, expected more than 3'],
  ['size(get("apps/v1", "Deployment", "default", "web").spec) == 0', '1 found, expected 0'],
  ['get("apps/v1", "Deployment", "default", "web").spec.exists(key, key == "paused")', ''],
])('%s reports the actual value', async (cel, seen) => {
  expect(await evaluateCheck(cel, () => web)).toMatchObject({ passed: false, seen, broken: '' });
});

test('aborts an expression beyond the cost limit', async () => {
  const range = 'list("v1", "Pod", "", "")';
  const cel = `${range}.all(a, ${range}.all(b, ${range}.all(c, a == b || b != c || a != c || true)))`;
  const many = Array.from({ length: 300 }, (_, name) => ({ name }));
  expect(await evaluateCheck(cel, () => many)).toMatchObject({ passed: false, broken: 'the check exceeds the cost limit' });
});

test('does not declare regular expression functions', async () => {
  expect((await evaluateCheck('"aaaa".matches("(a+)+$")')).broken).toContain("undeclared reference to 'matches'");
});

test('rejects a check with more than 50 queries', async () => {
  const names = JSON.stringify(Array.from({ length: 60 }, (_, name) => `pod-${name}`));
  expect((await evaluateCheck(`${names}.all(n, get("v1", "Pod", "default", n) == null)`)).broken).toContain('more than 50');
});

test('splits terms and comparisons outside quotes and brackets', () => {
  expect(splitConjunction('a == "x && y" && f(b && c) && d')).toEqual(['a == "x && y"', 'f(b && c)', 'd']);
  expect(splitConjunction('a || b && c')).toEqual(['a || b && c']);
  expect(parseComparison('get("a == b").spec.x == 3')).toEqual({ left: 'get("a == b").spec.x', operator: '==', right: '3' });
  expect(shortName('get("a", "b").spec.containers[0].image')).toBe('spec.containers[0].image');
});
