import { expect, test } from 'vitest';
import { type Containers, runCommand } from './container-calls.ts';

const mebi = 1024 * 1024;

test('the output of a command is limited to 16 MiB', async () => {
  const containers = {
    exec: async () => ({
      async run({ stdout }: { readonly stdout: { write(bytes: Uint8Array): Promise<void> } }) {
        for (let count = 0; count < 17; count++) await stdout.write(new Uint8Array(mebi).fill(count));
        return { exitCode: 0 };
      },
    }),
  } as unknown as Containers;
  const call = {
    containers,
    segments: ['default', 'web', 'c'],
    query: new URLSearchParams('cmd=yes'),
    signal: new AbortController().signal,
  };
  const { status, body } = await runCommand(call);
  const bytes = body as Uint8Array;
  expect([status, bytes.length, bytes.at(0), bytes.at(-1)]).toEqual([200, 16 * mebi, 0, 15]);
});
