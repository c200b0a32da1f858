import { expect, test } from 'vitest';
import { createManualClock } from '../../../env/index.ts';
import { ApiClient } from '../../../kubectl/index.ts';
import type { ApiHandler, WebSocketConnection } from '../../../meta/index.ts';
import { runInContainer } from './container-command.ts';

const name = { namespace: 'default', pod: 'box', container: 'main' };
const status = JSON.stringify({ status: 'Success' });

/** A container whose command prints texts on channels. */
function connectTo(
  messages: readonly (readonly [channel: number, text: string])[],
  sent: string[] = [],
): (signal: AbortSignal) => ApiClient {
  const serve = async (socket: WebSocketConnection): Promise<void> => {
    for (const [channel, text] of messages) await socket.send(Uint8Array.of(channel, ...new TextEncoder().encode(text)));
    await socket.close();
  };
  const handler: ApiHandler = async ({ target }) => {
    sent.push(target);
    return { status: 101, headers: [], body: undefined, upgrade: { kind: 'websocket', protocol: undefined, serve, cancel: () => {} } };
  };
  return (signal) =>
    new ApiClient({
      server: 'http://cluster.test',
      handler,
      headers: {},
      impersonatedGroups: [],
      clock: createManualClock(0),
      signal,
      timeout: undefined,
      onWarning: () => {},
      onRequest: () => {},
      rename: (text) => text,
    });
}

test('the output, the errors and the exit code of a command are returned', async () => {
  const sent: string[] = [];
  const connect = connectTo(
    [
      [1, 'a'],
      [2, 'oh'],
      [1, 'b'],
      [3, status],
    ],
    sent,
  );
  const { exit, stdout, stderr } = await runInContainer(connect, name, ['ls', '/'], new AbortController().signal);
  expect([exit, new TextDecoder().decode(stdout), stderr]).toEqual([0, 'ab', 'oh']);
  expect(sent).toEqual(['/api/v1/namespaces/default/pods/box/exec?command=ls&command=%2F&container=main&stderr=true&stdout=true']);
});

test('a command with a long output is ended', async () => {
  const connect = connectTo([
    [1, 'abc'],
    [1, 'def'],
    [3, status],
  ]);
  await expect(runInContainer(connect, name, ['cat'], new AbortController().signal, 5)).rejects.toThrow('longer than 5 bytes');
});
