import { expect, test } from 'vitest';
import { ByteQueue } from '../../env/index.ts';
import { TestSandbox } from './sandbox.test-support.ts';

const script = "cat && echo 'stdin closed'";

/** Attaches to a container, sends a line and ends the input. */
async function attachAndEndInput(fields: object, tty = false) {
  const pod = new TestSandbox({});
  const container = await pod.start({ command: ['sh', '-c', script], stdin: true, tty, ...fields });
  const target = { namespace: 'ns', name: 'web', uid: 'u', container: 'c' };
  const session = pod.sandbox.attach({ ...target, stdin: true, stdout: true, stderr: !tty, tty });
  const stdin = new ByteQueue();
  const sink = { write: async () => {}, close: async () => {} };
  let isEnded = false;
  const streams = { stdin, stdout: sink, stderr: tty ? undefined : sink, resize: undefined };
  void session.run(streams, new AbortController().signal).then(() => {
    isEnded = true;
  });
  await stdin.push(new TextEncoder().encode('abcd1234\n'));
  await pod.advance(0.1);
  stdin.end();
  await pod.advance(0.1);
  return { isEnded, isRunning: container.exit === undefined, logs: (await pod.logs()).replaceAll('\r', '') };
}

test.each([
  [{ stdinOnce: true }, false, { isEnded: true, isRunning: false, logs: 'abcd1234\nstdin closed\n' }],
  [{}, false, { isEnded: true, isRunning: true, logs: 'abcd1234\n' }],
  [{ stdinOnce: true }, true, { isEnded: true, isRunning: true, logs: 'abcd1234\nabcd1234\n' }],
])('the end of the input of an attached client with %j and tty %j', async (fields, tty, expected) => {
  expect(await attachAndEndInput(fields, tty)).toEqual(expected);
});
