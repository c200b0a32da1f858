import { expect, test } from 'vitest';
import type { ContainerSession } from '../../streaming/index.ts';
import { type ContainerCall, type Containers, runCommand } from './container-calls.ts';

const unused = (): Promise<never> => Promise.reject(new Error('not used'));

/** A call whose command writes its words to stdout, and a text to stderr. */
function callOf(query: string, stderr: string, exitCode: number): ContainerCall {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const containers: Containers = {
    containerLogs: unused,
    attach: unused,
    portForward: unused,
    exec: async ({ command }): Promise<ContainerSession> => ({
      run: async (streams) => {
        await streams.stdout?.write(encode(command.join('|')));
        await streams.stderr?.write(encode(stderr));
        return { exitCode };
      },
    }),
  };
  const segments = ['default', 'web', 'c'];
  return { containers, segments, query: new URLSearchParams(query), signal: new AbortController().signal };
}

test('a command answers with its output, or with its errors', async () => {
  const { headers, body, status } = await runCommand(callOf('cmd=echo+a', '!', 0));
  expect([status, Object.fromEntries(headers)]).toEqual([200, { 'content-type': 'application/json' }]);
  expect(new TextDecoder().decode(body as Uint8Array)).toBe('echo|a!');
  expect(await runCommand(callOf('cmd=cat+x', 'cat: x', 1))).toMatchObject({
    status: 500,
    body: "command 'cat x' exited with 1: cat: x",
  });
});
