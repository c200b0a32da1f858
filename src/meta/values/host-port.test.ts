import { expect, test } from 'vitest';
import { joinHostPort } from './host-port.ts';

test.each([
  [['192.0.2.1', 80], '192.0.2.1:80'],
  [['2001:db8::1', '80'], '[2001:db8::1]:80'],
  [['2001:db8::1'], '[2001:db8::1]'],
  [['example.com', ''], 'example.com'],
] as const)('%j is %s', ([host, port], expected) => {
  expect(joinHostPort(host, port)).toBe(expected);
});
