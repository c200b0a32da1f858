import { expect, test } from 'vitest';
import type { User } from '../../authn/index.ts';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { type RequestInfo, readRequestInfo } from '../request-info.ts';
import { InFlightRequests, TooManyRequests } from './in-flight.ts';

const product = productByName('kubernetes');
const infoOf = (method: string, target: string): RequestInfo => readRequestInfo(method, target, product);
const user = (...groups: readonly string[]): User => ({ username: 'bob', uid: '', groups, extra: {} });
const read = infoOf('GET', '/api/v1/pods');
const write = infoOf('POST', '/api/v1/namespaces/default/pods');

test('refuses reads and writes above their own limits until a place is free', () => {
  const inFlight = new InFlightRequests({ readOnly: 2, mutating: 1 }, createManualClock());
  const leave = inFlight.enter(read, user());
  inFlight.enter(infoOf('GET', '/version'), user());
  expect(() => inFlight.enter(read, user())).toThrow(TooManyRequests);
  inFlight.enter(write, user());
  expect(() => inFlight.enter(infoOf('DELETE', '/api/v1/namespaces/default/pods/a'), user())).toThrow(TooManyRequests);
  leave();
  leave();
  inFlight.enter(read, user());
  expect(() => inFlight.enter(read, user())).toThrow(TooManyRequests);
});

test('serves members of system:masters above the limit', () => {
  const inFlight = new InFlightRequests({ readOnly: 1, mutating: 1 }, createManualClock());
  inFlight.enter(read, user());
  inFlight.enter(read, user('system:masters'));
  expect(inFlight.highest('readOnly')).toBe(1);
});

test.each([
  '/api/v1/pods?watch=1',
  '/api/v1/namespaces/default/pods/a/log',
  '/api/v1/namespaces/default/pods/a/exec',
  '/api/v1/namespaces/default/services/a/proxy',
])('does not count GET %s, which may last', (target) => {
  const inFlight = new InFlightRequests({ readOnly: 1, mutating: 1 }, createManualClock());
  for (let count = 0; count < 3; count++) inFlight.enter(infoOf('GET', target), user());
  expect(inFlight.highest('readOnly')).toBe(0);
});

test('a limit of zero disables the limit', () => {
  const inFlight = new InFlightRequests({ readOnly: 0, mutating: 1 }, createManualClock());
  for (let count = 0; count < 1000; count++) inFlight.enter(read, user());
});

test('reports the most that were in flight in the last second', async () => {
  const clock = createManualClock();
  const inFlight = new InFlightRequests({ readOnly: 5, mutating: 5 }, clock);
  const leave = [inFlight.enter(read, user()), inFlight.enter(read, user())];
  for (const one of leave) one();
  expect([inFlight.highest('readOnly'), inFlight.highest('mutating')]).toEqual([2, 0]);
  await clock.advance(1_000);
  expect(inFlight.highest('readOnly')).toBe(0);
});

test('limits the bodies that unauthenticated clients are sending', () => {
  const inFlight = new InFlightRequests({ readOnly: 5, mutating: 5 }, createManualClock());
  const anonymous = user('system:unauthenticated');
  const leave = Array.from({ length: 10 }, () => inFlight.enterBody(anonymous));
  expect(() => inFlight.enterBody(anonymous)).toThrow(TooManyRequests);
  inFlight.enterBody(user('system:authenticated'));
  leave[0]?.();
  inFlight.enterBody(anonymous);
});
