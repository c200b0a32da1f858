import { expect, test } from 'vitest';
import { attributeValues } from './distinguished-name.ts';
import { pemBlocks } from './pem.ts';
import { readSigningRequest } from './signing-request.ts';

const [master] = pemBlocks(
  atob(
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIck1JR1RBZ0VBTURFeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFLREFGaQpNUW93Q0FZRFZRUUREQUYxTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFZ3JxK20zR0Z3eGd5ClFjMUZOZHhTZTcxU1dtWVNJYTN0SU0vK2xqNEVmMXhHcXlyRkpESVh1OHRLN1pERUtmTElZK1Vrdy9kRWd5MG8KLzBVbjh0OEQycUFBTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSURydE13alBjd0xBQWtmQUJOZ3FlczhudW9vZQptMXRMSzBEdmlyQWVMQjM1QWlCc084K3V0RTJGYkJ2a3U2NWR4dzdwWDhMaWNLZS9JL01pR1VIYmJqL2hsQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
  ),
);
const der = master?.bytes ?? new Uint8Array();
const organizationsOf = (bytes: Uint8Array): readonly string[] => attributeValues(readSigningRequest(bytes).subjectAttributes, '2.5.4.10');
const messageOf = (bytes: Uint8Array): string => {
  try {
    return organizationsOf(bytes).join();
  } catch (error) {
    return (error as Error).message;
  }
};

test('returns the organizations of the subject', () => {
  expect(organizationsOf(der)).toEqual(['system:masters', 'b']);
});

const field =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

test.each<[string, Uint8Array, string]>([
  ['nothing', new Uint8Array(), 'asn1: syntax error: sequence truncated'],
  ['an empty sequence', Uint8Array.of(0x30, 0), 'asn1: syntax error: sequence truncated'],
  ['half of it', der.subarray(0, 20), 'asn1: syntax error: data truncated'],
  ['all but the last byte', der.subarray(0, -1), 'asn1: syntax error: data truncated'],
  ['more than all', Uint8Array.of(...der, 0), 'asn1: syntax error: trailing data'],
  [
    'a text',
    new TextEncoder().encode('hello'),
    `asn1: structure error: tags don't match (16 vs {class:1 tag:8 length:101 isCompound:true}) ${field} certificateRequest @2`,
  ],
  [
    'a number in a sequence',
    Uint8Array.of(0x30, 3, 2, 1, 0),
    `asn1: structure error: tags don't match (16 vs {class:0 tag:2 length:1 isCompound:false}) ${field} tbsCertificateRequest @2`,
  ],
])('reports %s with the message of Go', (_, bytes, message) => {
  expect(messageOf(bytes)).toBe(message);
});
