import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import { conditionOf } from './definition.ts';
import { withServedStatus } from './definition-status.ts';

const product = productByName('kubernetes');
const now = '2024-01-01T00:00:00Z';

function definition(plural: string, names: JsonObject = {}, group = 'example.com', annotations: JsonObject = {}): ApiObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations },
    spec: { group, names: { plural, singular: plural.slice(0, -1), kind: plural, listKind: `${plural}List`, ...names } },
  } as ApiObject;
}

function conditionTexts(object: ApiObject, others: readonly ApiObject[] = []): readonly string[] {
  const served = withServedStatus(object, others, product, now);
  return ['NamesAccepted', 'Established', 'KubernetesAPIApprovalPolicyConformant'].flatMap((type) => {
    const condition = conditionOf(served, type);
    return condition ? [`${type} ${condition['status']} ${condition['reason']}: ${condition['message']}`] : [];
  });
}

test('accepts names without conflicts and establishes the definition', () => {
  expect(conditionTexts(definition('widgets'))).toEqual([
    'NamesAccepted True NoConflicts: no conflicts found',
    'Established True InitialNamesAccepted: the initial names have been accepted',
  ]);
});

test('returns the same definition when the status is up to date', () => {
  const served = withServedStatus(definition('widgets'), [], product, now);
  expect(withServedStatus(served, [], product, '2024-01-02T00:00:00Z')).toBe(served);
});

test('refuses names of another definition in the group', () => {
  const other = withServedStatus(definition('gadgets', { shortNames: ['g'] }), [], product, now);
  expect(conditionTexts(definition('widgets', { kind: 'gadgets' }), [other])).toEqual([
    'NamesAccepted False KindConflict: "gadgets" is already in use',
    'Established False NotAccepted: not all names are accepted',
  ]);
  expect(conditionTexts(definition('widgets', { shortNames: ['w', 'g'] }), [other])[0]).toBe(
    'NamesAccepted False ShortNamesConflict: "g" is already in use',
  );
  expect(conditionTexts(definition('widgets', { kind: 'gadgets' }, 'other.example.com'), [other])[0]).toContain('NoConflicts');
});

test('sets the approval condition for groups of the project', () => {
  const name = 'api-approved.kubernetes.io';
  const approvalOf = (value: string) => conditionTexts(definition('widgets', {}, 'widgets.k8s.io', { [name]: value })).at(-1);
  expect(approvalOf('https://github.com/kubernetes/kubernetes/pull/1')).toContain('True ApprovedAnnotation');
  expect(approvalOf('unapproved, for a test')).toContain('False UnapprovedAnnotation');
});

test('does not establish a definition whose conversion webhook has an invalid CA bundle', () => {
  const withBundle = (caBundle: string): ApiObject => {
    const { spec, ...rest } = definition('widgets');
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a', caBundle } } };
    return { ...rest, spec: { ...(spec as JsonObject), conversion } } as ApiObject;
  };
  const invalid = 'Established False InvalidCABundle: The conversion webhook CABundle is invalid';
  const established = 'Established True InitialNamesAccepted: the initial names have been accepted';
  expect(
    ['', 'Cg==', btoa('-----BEGIN CERTIFICATE-----\nYWFh\n-----END CERTIFICATE-----\n')].map(
      (bundle) => conditionTexts(withBundle(bundle))[1],
    ),
  ).toEqual([established, invalid, invalid]);
});
