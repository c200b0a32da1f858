import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { corev1 } from '../../../schema/api/index.ts';
import { dumpPodTemplate } from './dump-pod-template.ts';
import { dumpQuantity } from './dump-quantity.ts';
import { podTemplateHash } from './pod-template-hash.ts';

interface Example {
  readonly template: corev1.PodTemplateSpec;
  readonly hash: string;
  readonly hashCollision1: string;
  readonly hashCollision2: string;
}

/** Made with the real code. */
const facts = new URL('../../../../test/facts/workloads/pod-template-hash.json', import.meta.url);
const examples: readonly Example[] = JSON.parse(readFileSync(facts, 'utf8'));

test.each(examples.map((example, index) => [index, example] as const))('example %i', (_, example) => {
  const { template, hash, hashCollision1, hashCollision2 } = example;
  const actual = [podTemplateHash(template), podTemplateHash(template, 1), podTemplateHash(template, 2)];
  expect(actual).toEqual([hash, hashCollision1, hashCollision2]);
});

const amount = (value: number, scale = 0): string => `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
const none = 'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
const decimal = (words: string, scale: number): string =>
  none.replace('<nil>', `{unscaled:(big.Int){neg:(bool)false abs:(big.nat)${words}} scale:(inf.Scale)${scale}}`);

test.each([
  ['0', `${amount(0)} ${none} s:(string)0`, 'DecimalSI'],
  ['500m', `${amount(500, -3)} ${none} s:(string)500m`, 'DecimalSI'],
  ['-2k', `${amount(-2, 3)} ${none} s:(string)-2k`, 'DecimalSI'],
  ['1000', `${amount(1000)} ${none} s:(string)`, 'DecimalSI'],
  ['1Gi', `${amount(2 ** 30)} ${none} s:(string)1Gi`, 'BinarySI'],
  ['128Mi', `${amount(2 ** 27)} ${none} s:(string)`, 'BinarySI'],
  ['1e3', `${amount(1, 3)} ${none} s:(string)1e3`, 'DecimalExponent'],
  ['100Ti', `${amount(0)} ${decimal('[8568098291072368640 5960]', 9)} s:(string)`, 'BinarySI'],
  ['16Ei', `${amount(0)} ${decimal('[9223372036854775807]', 0)} s:(string)`, 'BinarySI'],
])('prints the quantity %s', (text, value, format) => {
  expect(dumpQuantity(text)).toBe(`{${value} Format:(resource.Format)${format}}`);
});

test('prints times and managed fields in the metadata of a template', () => {
  const metadata = { creationTimestamp: '1970-01-01T00:00:01Z', managedFields: [{ fieldsV1: {} }] };
  const dump = dumpPodTemplate({ metadata, spec: { containers: [] } });
  expect(dump).toContain('CreationTimestamp:(v1.Time){Time:(time.Time){wall:(uint64)0 ext:(int64)62135596801 loc:(*time.Location){');
  expect(dump).toContain('FieldsV1:(*v1.FieldsV1){Raw:([]uint8)[123 125]}');
});
