import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { chargeQuotas } from './charge-quotas.ts';
import { checkLimitedResources } from './optional/limited-resources.ts';
import { requestFor } from './request.test-support.ts';

const context = { product: productByName('kubernetes'), nowMs: 0 };
const high = { scopeName: 'PriorityClass', operator: 'In', values: ['high', 'top'] };
const checkLimits = checkLimitedResources([
  { apiGroup: '', resource: 'pods', matchContains: ['requests.cpu'], matchScopes: [high] },
  { apiGroup: '', resource: 'services', matchContains: ['nodeports'], matchScopes: [] },
]);
const quota = (hard: object, spec: object = {}) => {
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  return { metadata: { name: 'q' }, spec: { hard, ...spec }, status: { hard, used } };
};
const pod = (spec: object, cpu?: string) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: cpu === undefined ? {} : { requests: { cpu } } }], ...spec },
});

const charge = (all: readonly object[], object: object) =>
  chargeQuotas(all as never, { request: requestFor({ name: 'p' }), object: object as never, old: undefined, checkLimits, context });

test('limited amounts need a quota that covers them', () => {
  expect(() => charge([], pod({}, '1'))).toThrow('pods "p" is forbidden: insufficient quota to consume: requests.cpu');
  expect(() => charge([quota({ pods: '1' })], pod({}, '1'))).toThrow('insufficient quota to consume: requests.cpu');
  expect(charge([quota({ 'requests.cpu': '1' })], pod({}, '1'))).toMatchObject([{ status: { used: { 'requests.cpu': '1' } } }]);
  expect(charge([], pod({}))).toEqual([]);
});

test('limited scopes need a quota with the same scope', () => {
  const important = pod({ priorityClassName: 'high' });
  const text = 'insufficient quota to match these scopes: [{PriorityClass In [high top]}]';
  expect(() => charge([], important)).toThrow(expect.objectContaining({ code: 500, reason: '', message: text }));
  expect(charge([quota({ pods: '1' }, { scopeSelector: { matchExpressions: [high] } })], important)).toHaveLength(1);
  expect(charge([], pod({ priorityClassName: 'low' }))).toEqual([]);
});

test('negative amounts are refused', () => {
  expect(() => charge([quota({ pods: '1' })], pod({}, '-1'))).toThrow(
    'pods "p" is forbidden: quota usage is negative for resource(s): cpu,requests.cpu',
  );
});
