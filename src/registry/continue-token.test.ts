import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';

const product = productByName('kubernetes');
const tokenOf = (text: string): string => btoa(text).replace(/=+$/, '');

function refusal(text: string): string {
  try {
    decodeContinue(tokenOf(text), product);
  } catch (error) {
    return error instanceof Error ? error.message.replace('invalid continue token: continue key is not valid: ', '') : '';
  }
  return '';
}

test('decodes an encoded token', () => {
  const token = { revision: 7, start: '/default/web\0' };
  expect(decodeContinue(encodeContinue(token, product), product)).toEqual(token);
});

test('validates a token like Go decodes its struct', () => {
  const texts = ['null', '[]', '"a"', '{"v":1}', '{"v":"meta.k8s.io/v1","rv":"1"}', '{"v":"meta.k8s.io/v1","rv":1.5}'];
  expect(texts.map(refusal)).toEqual([
    'server does not recognize this encoded version ',
    'json: cannot unmarshal array into Go value of type storage.continueToken',
    'json: cannot unmarshal string into Go value of type storage.continueToken',
    'json: cannot unmarshal number into Go struct field continueToken.v of type string',
    'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
  ]);
});

test('member names are case-insensitive, and the last one wins', () => {
  expect(decodeContinue(tokenOf('{"V":"meta.k8s.io/v1","RV":3,"start":"a","Start":"b"}'), product)).toEqual({ revision: 3, start: 'b' });
});

test('refuses a start key that leaves its collection', () => {
  expect(['../x', 'a/../x', '/a//b', 'a/.'].map((start) => refusal(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })))).toEqual([
    '../x',
    'a/../x',
    '/a//b',
    'a/.',
  ]);
});
