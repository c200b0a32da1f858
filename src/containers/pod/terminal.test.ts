import { expect, test } from 'vitest';
import { ByteQueue } from '../../env/index.ts';
import { TestSandbox } from './sandbox.test-support.ts';

const encoder = new TextEncoder();

interface OpenTerminal {
  type(keys: string): Promise<void>;
  /** The output since the last call. */
  output(): string;
  readonly exitCode: Promise<number>;
}

/** A terminal with a command in a container that sleeps. */
async function openTerminal(...command: readonly string[]): Promise<OpenTerminal> {
  const pod = new TestSandbox({});
  await pod.start({ command: ['sleep', '100000'] });
  const session = pod.sandbox.exec({
    namespace: 'ns',
    name: 'web',
    uid: 'u',
    container: 'c',
    stdin: true,
    stdout: true,
    stderr: false,
    tty: true,
    command,
  });
  const stdin = new ByteQueue();
  let text = '';
  const stdout = {
    async write(bytes: Uint8Array) {
      text += new TextDecoder().decode(bytes);
    },
    close: async () => {},
  };
  const ended = session.run({ stdin, stdout, stderr: undefined, resize: undefined }, new AbortController().signal);
  await pod.advance(0.1);
  return {
    async type(keys) {
      await stdin.push(encoder.encode(keys));
      await pod.advance(0.1);
    },
    output() {
      const [shown] = [text];
      text = '';
      return shown;
    },
    exitCode: ended.then(({ exitCode }) => exitCode),
  };
}

test('an interactive shell shows a prompt, echoes what is typed and runs it', async () => {
  const { type, output, exitCode } = await openTerminal('sh');
  expect(output()).toBe('/ # ');
  await type('cd /tmp; echo a\r');
  expect(output()).toBe('cd /tmp; echo a\r\na\r\n/tmp # ');
  await type('for i in 1 2; do\r');
  await type('echo $i; done\r');
  expect(output()).toBe('for i in 1 2; do\r\n> echo $i; done\r\n1\r\n2\r\n/tmp # ');
  await type('exit 3\r');
  expect(await exitCode).toBe(3);
});

test('Ctrl-C ends the command of an interactive shell, and Ctrl-D the shell', async () => {
  const { type, output, exitCode } = await openTerminal('sh');
  await type('sleep 1000\r');
  await type('\x03');
  expect(output()).toBe('/ # sleep 1000\r\n^C\r\n/ # ');
  await type('while true; do true; done\r');
  await type('\x03');
  await type('echo $?\r');
  expect(output()).toContain('130\r\n/ # ');
  await type('\x04');
  expect(await exitCode).toBe(0);
});

test('a program reads lines from the terminal until Ctrl-D, and Ctrl-C ends it', async () => {
  const cat = await openTerminal('cat');
  await cat.type('hello\r');
  expect(cat.output()).toBe('hello\r\nhello\r\n');
  await cat.type('\x04');
  expect(await cat.exitCode).toBe(0);
  const sleep = await openTerminal('sleep', '1000');
  await sleep.type('\x03');
  expect(await sleep.exitCode).toBe(130);
});
