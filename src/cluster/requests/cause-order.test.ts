import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

/** The fields of the causes for a new object, in the reported order. */
async function fieldsOf(path: string, object: JsonObject): Promise<readonly string[]> {
  const { send } = await startTestCluster();
  const { details } = bodyOf(await send('POST', path, object)) as { readonly details: { readonly causes: readonly { field: string }[] } };
  return details.causes.map(({ field }) => field);
}

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

test.each(['validating', 'mutating'])("reports errors of a %s webhook in upstream's order", async (type) => {
  const wrong = {
    name: 'a',
    failurePolicy: 'x',
    rules: [{}],
    matchPolicy: 'x',
    sideEffects: 'Some',
    timeoutSeconds: 31,
    namespaceSelector: { matchLabels: { '-': '' } },
    objectSelector: { matchLabels: { '-': '' } },
    ...(type === 'mutating' ? { reinvocationPolicy: 'x' } : {}),
    matchConditions: [
      { name: 'n', expression: ' 1 ' },
      { name: '-', expression: '2' },
      { name: 'n', expression: 'true' },
      { expression: '3' },
    ],
    admissionReviewVersions: ['v7'],
  };
  const path = `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`;
  const fields = await fieldsOf(path, { metadata: { name: 'a' }, webhooks: [wrong, { ...wrong, matchConditions: [] }] });
  const at = (index: number, names: readonly string[]) => names.map((name) => `webhooks[${index}].${name}`);
  const first = [
    ...['name', 'rules[0].operations', 'rules[0].apiGroups', 'rules[0].apiVersions', 'rules[0].resources', 'failurePolicy', 'matchPolicy'],
    ...['sideEffects', 'timeoutSeconds', 'namespaceSelector.matchLabels', 'objectSelector.matchLabels'],
    ...(type === 'mutating' ? ['reinvocationPolicy'] : []),
    'clientConfig',
  ];
  const conditions = ['[0].expression', '[1].expression', '[1].name', '[2].name', '[3].expression', '[3].name'];
  expect(fields).toEqual([
    ...at(0, first),
    ...at(
      0,
      conditions.map((condition) => `matchConditions${condition}`),
    ),
    ...at(0, ['admissionReviewVersions']),
    ...at(1, first),
    ...at(1, ['admissionReviewVersions', 'name']),
  ]);
});

test("reports errors of an admission policy in upstream's order, including its expressions", async () => {
  const fields = await fieldsOf(policies, {
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'x',
      paramKind: {},
      matchConstraints: { matchPolicy: 'x' },
      matchConditions: [{ name: '', expression: '1' }],
      variables: [
        { name: '1', expression: 'object.' },
        { name: 'a', expression: '' },
      ],
      validations: [
        { expression: '1', messageExpression: '1', message: 'a\nb', reason: 'x' },
        { expression: '', messageExpression: '2', message: ' ' },
      ],
      auditAnnotations: [
        { key: '-', valueExpression: '1' },
        { key: 'b', valueExpression: `'${'x'.repeat(5120)}'` },
        { key: 'b', valueExpression: '2' },
      ],
    },
  });
  expect(fields).toEqual([
    ...['spec.failurePolicy', 'spec.paramKind.apiVersion', 'spec.paramKind.kind', 'spec.matchConstraints.matchPolicy'],
    ...['spec.matchConstraints.resourceRules', 'spec.matchConditions[0].expression', 'spec.matchConditions[0].name'],
    ...['spec.variables[0].name', 'spec.variables[0].expression', 'spec.variables[1].expression'],
    ...[
      'spec.validations[0].expression',
      'spec.validations[0].messageExpression',
      'spec.validations[0].message',
      'spec.validations[0].reason',
    ],
    ...['spec.validations[1].expression', 'spec.validations[1].messageExpression', 'spec.validations[1].message'],
    ...['spec.auditAnnotations[0].key', 'spec.auditAnnotations[0].valueExpression', 'spec.auditAnnotations[1].valueExpression'],
    ...['spec.auditAnnotations[2].valueExpression', 'spec.auditAnnotations[2].key'],
  ]);
});

test('rejects more than twenty audit annotations of a policy', async () => {
  const auditAnnotations = Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: "''" }));
  const { send } = await startTestCluster();
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, auditAnnotations };
  const { message } = bodyOf(await send('POST', policies, { metadata: { name: 'p' }, spec }));
  expect(message).toMatch(/ spec.auditAnnotations: Invalid value: \[\{"Key":"k0","ValueExpression":"''"\},/);
  expect(message).toMatch(/: must not have more than 20 auditAnnotations$/);
});

test.each([
  { resources: ['pods', '*'], wrong: 0 },
  { resources: ['*', 'pods'], wrong: 1 },
  { resources: ['*', 'pods/log'], wrong: 0 },
  { resources: ['pods/*', 'pods/a/b'], wrong: 1 },
  { resources: ['*/a', 'pods/a/b'], wrong: 0 },
])('in the resources $resources, $wrong are redundant', async ({ resources, wrong }) => {
  const webhook = { name: 'a.b.c', clientConfig: { url: 'https://x/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources }];
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const { send } = await startTestCluster();
  const { status } = await send('POST', path, { metadata: { name: 'a' }, webhooks: [{ ...webhook, rules }] });
  expect(status).toBe(wrong === 0 ? 201 : 422);
});

test('validates the namespace of a claim’s data source in every kind that embeds the claim', async () => {
  const claim = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    dataSourceRef: { apiGroup: 'a.b', kind: 'K', name: 'n', namespace: 'A.b' },
  };
  const containers = [{ name: 'c', image: 'i' }];
  const labels = { a: 'b' };
  const set = {
    metadata: { name: 's' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim }],
    },
  };
  expect(await fieldsOf('/apis/apps/v1/namespaces/default/statefulsets', set)).toEqual([
    'spec.volumeClaimTemplates[0].spec.dataSourceRef.namespace',
  ]);
  const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }];
  const template = { metadata: { name: 't' }, template: { metadata: { labels }, spec: { containers, volumes } } };
  expect(await fieldsOf('/api/v1/namespaces/default/podtemplates', template)).toEqual([
    'template.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSourceRef.namespace',
  ]);
});

test('reports errors of validation rules after those of the schema', async () => {
  const schema = (rule: string) => ({ openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule }] } });
  const version = { served: true, additionalPrinterColumns: [{ name: 'n', type: 'x', jsonPath: '.x' }] };
  const names = { plural: 'widgets', kind: 'Widget', shortNames: ['-'] };
  const spec = { group: 'example.com', scope: 'Namespaced', names, conversion: { strategy: 'X' } };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const metadata = { name: 'widgets.example.com' };
  const one = [{ ...version, name: 'v1', storage: true, schema: schema('1') }];
  expect(await fieldsOf(path, { metadata, spec: { ...spec, versions: one } })).toEqual([
    ...['spec.names.shortNames[0]', 'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule'],
    ...['spec.additionalPrinterColumns[0].type', 'spec.conversion.strategy'],
  ]);
  const scale = { specReplicasPath: 'x', statusReplicasPath: '.status.x' };
  const two = [
    { ...version, name: 'v1', storage: false, schema: schema('1'), subresources: { scale } },
    { ...version, name: '-', storage: false, schema: schema('2') },
  ];
  expect(await fieldsOf(path, { metadata, spec: { ...spec, versions: two } })).toEqual([
    'spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule',
    'spec.versions[0].subresources.scale.specReplicasPath',
    'spec.versions[1].name',
    'spec.versions[1].schema.openAPIV3Schema.x-kubernetes-validations[0].rule',
    ...['spec.versions', 'spec.names.shortNames[0]', 'spec.additionalPrinterColumns[0].type', 'spec.conversion.strategy'],
    ...['status.storedVersions'],
  ]);
});
