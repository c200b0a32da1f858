import { expect, test } from 'vitest';
import { type ApiObject, productByName, required } from '../../meta/index.ts';
import { readSchemaNode } from '../../schema/index.ts';
import { definitionRuleErrors } from '../strategies/others/definition-rules.ts';
import { createCustomRules } from './custom-rules.ts';

const pace = (): undefined => undefined;
const svc = productByName('svc');
const prefix = svc.names.openApiExtensionPrefix;
const written = (rule: string) => ({
  type: 'object',
  properties: { n: { type: 'integer' } },
  [`${prefix}validations`]: [{ rule }],
});
const schema = readSchemaNode(written('self.n < 5'), prefix);
const object = (n: number, labels: Readonly<Record<string, string>> = {}): ApiObject => ({
  apiVersion: 'a/v1',
  kind: 'A',
  metadata: { name: 'a', labels },
  n,
});

test('an error of a rule at the root has no path', async () => {
  expect(await createCustomRules(svc).errors(schema, object(5), undefined, [], { pace, timer: undefined })).toEqual([
    { reason: 'FieldValueInvalid', field: '<nil>', message: 'Invalid value: "object": failed rule: self.n < 5' },
  ]);
});

test('does not evaluate rules for an object of the wrong shape', async () => {
  const [error, ...others] = await createCustomRules(svc).errors(schema, object(5), undefined, [required('n', '')], {
    pace,
    timer: undefined,
  });
  expect(others).toEqual([]);
  expect(error?.message).toBe(
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  );
  expect(
    await createCustomRules(svc).errors(readSchemaNode({ type: 'object' }, prefix), object(5), undefined, [required('n', '')], {
      pace,
      timer: undefined,
    }),
  ).toEqual([]);
});

test('warns of unchanged values that violate a rule', async () => {
  const rules = createCustomRules(svc);
  const item = readSchemaNode({ type: 'object', properties: { part: written('self.n < 5') } }, prefix);
  const broken = { ...object(1), part: { n: 9 } };
  const next = { ...object(2), part: { n: 9 } };
  expect(await rules.errors(item, next, broken, [], { pace, timer: undefined })).toEqual([]);
  expect(rules.warnings(next)).toEqual(['part: Invalid value: "object": failed rule: self.n < 5']);
  expect(rules.warnings(broken)).toEqual([]);
});

const definition = (...rules: readonly string[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a' },
  spec: { versions: rules.map((rule, i) => ({ name: `v${i + 1}`, schema: { openAPIV3Schema: written(rule) } })) },
});

test('reports errors of rules that all versions share once, at the top', async () => {
  const fieldsOf = async (one: ApiObject) =>
    (await definitionRuleErrors(one, undefined, [], { product: svc }, pace)).map(({ field }) => field);
  expect(await fieldsOf(definition('self.x', 'self.x'))).toEqual([`spec.validation.openAPIV3Schema.${prefix}validations[0].rule`]);
  expect(await fieldsOf(definition('true', 'self.x'))).toEqual([`spec.versions[1].schema.openAPIV3Schema.${prefix}validations[0].rule`]);
});

test('stored rules may use functions of the newest release, and rules of an invalid schema are not checked', async () => {
  const newest = definition('[self.n].sort() == [1]');
  expect(await definitionRuleErrors(newest, undefined, [], { product: svc }, pace)).toHaveLength(1);
  expect(await definitionRuleErrors(newest, newest, [], { product: svc }, pace)).toEqual([]);
  const wrong = required('spec.validation.openAPIV3Schema.properties[n].type', '');
  expect(await definitionRuleErrors(newest, undefined, [wrong], { product: svc }, pace)).toEqual([]);
});
