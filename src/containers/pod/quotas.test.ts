import { expect, test } from 'vitest';
import { createLoopback } from './loopback.test-support.ts';
import { TestSandbox } from './sandbox.test-support.ts';

/** Each line of a log counts with its time and stream. */
const logLimit = (lineLength: number): number => ((10 * 1024 * 1024) / (40 + lineLength)) * lineLength;

test.each([
  ['a loop', 41, 'while true; do echo 0123456789012345678901234567890123456789; done'],
  ['yes', 2, 'yes'],
  ['a copy of an endless device', 16_384, 'cat /dev/zero'],
])('endless output of %s is limited, and other containers run on', async (_, lineLength, script) => {
  const [endless, other] = [new TestSandbox({}), new TestSandbox({})];
  const container = await endless.start({ command: ['sh', '-c', script] });
  await endless.advance(1);
  expect((await endless.logs()).length).toBeLessThanOrEqual(logLimit(lineLength));
  expect(await other.run('echo still here')).toBe('still here\n');
  container.kill();
});

test('a file of 1 GB does not fit, and its container runs on', async () => {
  const pod = new TestSandbox({});
  const output = await pod.run('dd if=/dev/zero of=/big bs=1M count=1024; echo $?; rm /big; echo small > /small; cat /small');
  expect(output).toContain('No space left on device');
  expect(output).toMatch(/\n1\nsmall\n$/);
});

test('10,000 connections are served or refused, and other connections are served after them', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  await pod.start({ name: 'server', command: ['nc', '-lk', '-p', '9'] });
  await pod.advance(1);
  await pod.start({ command: ['sh', '-c', 'for i in $(seq 10000); do sleep 100 | nc web 9 & done; sleep 100'] });
  await pod.advance(5);
  await pod.start({ name: 'web', args: ['netexec', '--http-port=80'] }, 'registry.k8s.io/e2e-test-images/agnhost');
  await pod.advance(1);
  await pod.start({ name: 'client', command: ['wget', '-qO-', 'http://web/echo?msg=served'] });
  await pod.advance(1);
  expect(await pod.logs({ container: 'client' })).toBe('served');
});
