import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import type { PolicyCheckLabels } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import type { PolicyContext } from './policy-context.ts';
import { PolicyIndex } from './policy-index.ts';
import { validatingPolicies } from './validating-policies.ts';
import { createValidatingPolicyReader } from './validating-policy.ts';

const matchConstraints = {
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
};
const object: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

/** Evaluates policies that deny everything, in order of name; each checks access to a path of its name. */
async function evaluatePolicies(policies: Readonly<Record<string, { readonly actions: readonly string[]; readonly spec?: JsonObject }>>) {
  const index = new PolicyIndex(createValidatingPolicyReader);
  for (const [name, { actions, spec }] of Object.entries(policies)) {
    const validations = [{ expression: `authorizer.path('/${name}').check('get').allowed()`, message: `not ${name}` }];
    index.updatePolicy(name, { metadata: { name }, spec: { matchConstraints, validations, ...spec } } as never);
    index.updateBinding(name, { metadata: { name }, spec: { policyName: name, validationActions: actions } } as never);
  }
  const paths = new Set<string>();
  const checks: PolicyCheckLabels[] = [];
  const policyContext: PolicyContext = {
    namespace: async () => undefined,
    equivalents: () => [],
    inVersion: async (one) => one,
    decode: (one) => one as ApiObject,
    decodeStrictly: (one) => one as ApiObject,
    applyConfiguration: async (one) => one,
    fromVersion: async (one) => one,
    params: () => undefined,
    clock: createManualClock(),
    meter: { observePolicyCheck: (labels) => checks.push(labels), observeWebhook: () => undefined },
    checkAccess: async (_, question) => {
      paths.add(JSON.stringify(question));
      return { allowed: false, reason: '', error: undefined } as never;
    },
  };
  const warnings: string[] = [];
  const request = requestFor({ operation: 'CREATE', name: 'a', namespace: '', warn: (text) => warnings.push(text) });
  const plugin = validatingPolicies(index, policyContext, productByName('kubernetes'));
  const message = await plugin.validate?.(request, object, undefined).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { message, warnings, checks, names: Array.from(paths, (path) => /"\/(\w+)"/.exec(path)?.[1]) };
}

test('after a rejection, evaluates only policies that warn, audit or annotate', async () => {
  const annotated = { auditAnnotations: [{ key: 'k', valueExpression: "'v'" }] };
  const { message, warnings, names } = await evaluatePolicies({
    a: { actions: ['Deny'] },
    b: { actions: ['Deny'] },
    c: { actions: ['Deny'], spec: annotated },
    d: { actions: ['Warn'] },
    e: { actions: ['Audit'] },
  });
  expect(message).toContain("ValidatingAdmissionPolicy 'a' with binding 'a' denied request: not a");
  expect(warnings).toEqual([expect.stringContaining("'d' with binding 'd': not d")]);
  expect(names).toEqual(['a', 'c', 'd', 'e']);
});

test('failed validations are measured by policy, binding, action and kind of error', async () => {
  const broken = { validations: [{ expression: 'object.metadata.name == object.nothing' }] };
  const { checks } = await evaluatePolicies({
    a: { actions: ['Warn', 'Audit'] },
    b: { actions: ['Deny'], spec: broken },
  });
  const labels = { error_type: 'invalid_error', policy: 'a', policy_binding: 'a' };
  expect(checks).toEqual([
    { ...labels, enforcement_action: 'warn' },
    { ...labels, enforcement_action: 'audit' },
    { ...labels, enforcement_action: 'deny', policy: 'b', policy_binding: 'b' },
  ]);
});
