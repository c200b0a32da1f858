import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import type { AdmissionRequest, ResourceKind } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { type MatchAttributes, matchResource, readMatchResources } from './match-resources.ts';

const rule = (more: JsonObject = {}): JsonObject => ({
  operations: ['CREATE'],
  apiGroups: ['autoscaling'],
  apiVersions: ['v1'],
  resources: ['horizontalpodautoscalers'],
  ...more,
});

function resourceKind(version: string): ResourceKind {
  const group = 'autoscaling';
  return { group, version, resource: 'horizontalpodautoscalers', kind: { group, version, kind: 'HorizontalPodAutoscaler' } };
}

/** The creation of a v2 HorizontalPodAutoscaler with the label x=y, in a namespace with the label a=b. */
function matched(match: JsonObject, request: Partial<AdmissionRequest> = {}): Promise<ResourceKind | undefined> {
  const write: MatchAttributes = {
    request: requestFor({ ...resourceKind('v2'), name: 'h', ...request }),
    object: { metadata: { name: 'h', labels: { x: 'y' } } } as never,
    oldObject: undefined,
    equivalents: () => [resourceKind('v2'), resourceKind('v1')],
    namespaceLabels: async () => ({ a: 'b' }),
  };
  return matchResource(readMatchResources(match), write);
}

test('a rule for another version matches as that version, unless matchPolicy is Exact', async () => {
  expect(await matched({ matchPolicy: 'Equivalent', resourceRules: [rule()] })).toEqual(resourceKind('v1'));
  expect(await matched({ matchPolicy: 'Exact', resourceRules: [rule()] })).toBeUndefined();
  expect(await matched({ matchPolicy: 'Exact', resourceRules: [rule({ apiVersions: ['*'] })] })).toMatchObject({ version: 'v2' });
});

test('excluded resources do not match; without rules all others do', async () => {
  expect(await matched({ excludeResourceRules: [rule({ apiVersions: ['v2'] })] })).toBeUndefined();
  expect(await matched({ excludeResourceRules: [rule({ resourceNames: ['other'], apiVersions: ['v2'] })] })).toMatchObject({
    version: 'v2',
  });
});

test('subresources match only by name', async () => {
  const ofStatus = { subresource: 'status' };
  const meaning = (resources: readonly string[]) => matched({ resourceRules: [rule({ apiVersions: ['*'], resources })] }, ofStatus);
  expect(
    await Promise.all([['*'], ['*/*'], ['*/status'], ['horizontalpodautoscalers/*'], ['horizontalpodautoscalers']].map(meaning)),
  ).toEqual([undefined, expect.anything(), expect.anything(), expect.anything(), undefined]);
});

test('operations and scope must match', async () => {
  const v2 = { apiVersions: ['v2'] };
  expect(await matched({ resourceRules: [rule(v2)] }, { operation: 'UPDATE' })).toBeUndefined();
  expect(await matched({ resourceRules: [rule({ ...v2, scope: 'Cluster' })] })).toBeUndefined();
  expect(await matched({ resourceRules: [rule({ ...v2, scope: 'Namespaced' })] })).toBeDefined();
});

test('both selectors must match; cluster-scoped objects match every namespaceSelector', async () => {
  const meaning = (selectors: JsonObject, request: Partial<AdmissionRequest> = {}) => matched(selectors, request);
  expect(await meaning({ objectSelector: { matchLabels: { x: 'z' } } })).toBeUndefined();
  expect(await meaning({ namespaceSelector: { matchLabels: { a: 'c' } } })).toBeUndefined();
  expect(await meaning({ namespaceSelector: { matchLabels: { a: 'c' } } }, { namespace: '' })).toBeDefined();
  expect(await meaning({ namespaceSelector: { matchLabels: { a: 'b' } }, objectSelector: { matchLabels: { x: 'y' } } })).toBeDefined();
});
