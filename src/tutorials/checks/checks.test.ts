import { expect, test } from 'vitest';
import { type CheckStanding, createChecker } from './check-step.ts';
import { createCheckLanguage, type StepFacts } from './expressions.ts';
import type { Answer, Answerer, Question } from './questions.ts';
import { comparisonIn, shortName, termsOf } from './seen.ts';

const facts: StepFacts = {
  commands: [{ line: 'kubectl get pods', exit: 1, stdout: '' }],
  requests: [{ user: 'alice', method: 'GET', path: '/api/v1/pods', code: 403 }],
  files: { 'role.yaml': 'kind: Role' },
  step: { started: '2026-01-01T00:00:00Z' },
};

const web = { metadata: { name: 'web' }, spec: { replicas: 2 } };

function answering(answer: (question: Question) => Answer): Answerer {
  return { answer: async (question) => answer(question), takeAsked: () => [] };
}

function look(cel: string, answer: (question: Question) => Answer = () => null): Promise<CheckStanding> {
  return createChecker(cel, createCheckLanguage())(facts, answering(answer));
}

test.each([
  'requests.exists(r, r.user == "alice" && r.code == 403)',
  'commands.exists(c, c.line.startsWith("kubectl") && c.exit == 1)',
  'files["role.yaml"].contains("Role")',
  'timestamp(step.started) < timestamp("2027-01-01T00:00:00Z")',
  '!has(get("v1", "Pod", "default", "web"))',
  'size(list("v1", "Pod", "default", "a=b")) == 0',
])('%s holds', async (cel) => {
  expect(await look(cel, ({ of }) => (of === 'objects' ? [] : null))).toMatchObject({ passed: true, broken: '' });
});

test('an object is asked for by its address, access with its user', async () => {
  const asked: Question[] = [];
  await look('has(get("v1", "Pod", "default", "web")) || can("alice", "list", "pods", "default")', (question) => {
    asked.push(question);
    return question.of === 'access' ? true : null;
  });
  expect(asked).toEqual([
    { of: 'object', apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web' },
    { of: 'access', user: 'alice', verb: 'list', resource: 'pods', namespace: 'default', name: '' },
  ]);
});

test.each([
  ['get("apps/v1", "Deployment", "default", "web").spec.replicas == 3', 'spec.replicas is 2, wanted 3'],
  [
    'has(get("apps/v1", "Deployment", "default", "web")) && get("apps/v1", "Deployment", "default", "web").spec.replicas == 3',
    'spec.replicas is 2, wanted 3',
  ],
  ['get("apps/v1", "Deployment", "default", "web").spec.paused == true', 'spec.paused is not there, wanted true'],
  ['get("apps/v1", "Deployment", "default", "web").spec.replicas > 3', ''],
])('%s says what was seen', async (cel, seen) => {
  expect(await look(cel, () => web)).toMatchObject({ passed: false, seen, broken: '' });
});

test('an expression that costs too much ends by itself, and fails', async () => {
  const range = 'list("v1", "Pod", "", "")';
  const cel = `${range}.all(a, ${range}.all(b, ${range}.all(c, a == b || b != c || a != c || true)))`;
  const many = Array.from({ length: 300 }, (_, name) => ({ name }));
  expect(await look(cel, () => many)).toMatchObject({ passed: false, broken: 'the check costs more than one may' });
});

test('patterns, which no limit can stop, are not known', async () => {
  expect((await look('"aaaa".matches("(a+)+$")')).broken).toContain("undeclared reference to 'matches'");
});

test('who asks without end is refused', async () => {
  const names = JSON.stringify(Array.from({ length: 60 }, (_, name) => `pod-${name}`));
  expect((await look(`${names}.all(n, get("v1", "Pod", "default", n) == null)`)).broken).toContain('more than 50');
});

test('terms and comparisons are found outside of quotes and brackets', () => {
  expect(termsOf('a == "x && y" && f(b && c) && d')).toEqual(['a == "x && y"', 'f(b && c)', 'd']);
  expect(termsOf('a || b && c')).toEqual(['a || b && c']);
  expect(comparisonIn('get("a == b").spec.x == 3')).toEqual({ left: 'get("a == b").spec.x', operator: '==', right: '3' });
  expect(shortName('get("a", "b").spec.containers[0].image')).toBe('spec.containers[0].image');
});
