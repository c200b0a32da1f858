import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

test('head -c ends when it has read enough', async () => {
  const script = 'yes | head -c 5; yes | head -c 100000 | wc -c; echo hello > /tmp/g; head -c 2 /tmp/g; head -c-2 /tmp/g; head -c 9 /tmp/g';
  expect(await new TestSandbox({}).run(script)).toBe('y\ny\ny100000\nhehellhello\n');
});
