import { expect, test } from 'vitest';
import { createMemoryLog } from './memory-log.ts';

test('records every line in order with its level', () => {
  const log = createMemoryLog();
  log.info('started', { port: 1 });
  log.warn('slow', {});
  log.error('failed', { why: 'full' });
  expect(log.lines).toEqual([
    { level: 'info', event: 'started', details: { port: 1 } },
    { level: 'warn', event: 'slow', details: {} },
    { level: 'error', event: 'failed', details: { why: 'full' } },
  ]);
});
