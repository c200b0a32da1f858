import { expect, test } from 'vitest';
import { Departure } from './departure.ts';

test('whoever asked for the signal hears that the client goes, once', () => {
  const departure = new Departure();
  const { signal } = departure;
  const heard: unknown[] = [];
  signal.addEventListener('abort', () => heard.push(signal.reason));
  departure.happen('the client has gone');
  departure.happen('the server is ending');
  expect(departure.signal).toBe(signal);
  expect(heard).toEqual([new Error('the client has gone')]);
});

test('whoever asks later finds the signal aborted', () => {
  const departure = new Departure();
  departure.happen('the client has gone');
  expect(departure.signal.aborted).toBe(true);
  expect(departure.signal.reason).toEqual(new Error('the client has gone'));
});
