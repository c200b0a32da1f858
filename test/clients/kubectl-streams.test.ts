import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptedKubelet } from '../../src/streaming/scripted-kubelet.test-support.ts';
import { type ServedCluster, serveScriptedNode } from '../servers/serve-scripted-node.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) process.stderr.write('no kubectl on PATH: the tests with the real one are skipped\n');

/**
 * kubectl 1.32 may read the first message, which is empty, before it has created the stream, and logs that it discards it. Later versions
 * create their streams first (kubernetes/kubernetes#131203).
 */
const earlyMessage = /^E\d{4} .*Unknown stream id 1, discarding message\n/;

/** The real kubectl over both transports, to a scripted kubelet. */
describe.skipIf(!hasKubectl).each([
  ['WebSocket', 'true'],
  ['SPDY', 'false'],
])('kubectl over %s', (_, overWebSocket) => {
  let served: ServedCluster & { readonly kubelet: ScriptedKubelet };
  beforeAll(async () => {
    served = await serveScriptedNode();
  });
  afterAll(() => served.close());

  const start = (words: readonly string[]) =>
    spawn('kubectl', [`--server=http://${served.address}`, ...words], {
      env: {
        ...process.env,
        KUBECONFIG: '/dev/null',
        KUBECTL_REMOTE_COMMAND_WEBSOCKETS: overWebSocket,
        KUBECTL_PORT_FORWARD_WEBSOCKETS: overWebSocket,
      },
      timeout: 20_000,
    });
  const kubectl = (words: readonly string[], input?: string): Promise<{ out: string; err: string; code: number | null }> =>
    new Promise((resolve) => {
      const child = start(words);
      let [out, err] = ['', ''];
      child.stdout.on('data', (part) => {
        out += part;
      });
      child.stderr.on('data', (part) => {
        err += part;
      });
      child.on('close', (code) => resolve({ out, err: err.replace(earlyMessage, ''), code }));
      child.stdin.on('error', () => {});
      if (input !== undefined) child.stdin.end(input);
    });

  test('exec shows the output of a command', async () => {
    expect(await kubectl(['exec', 'web', '-c', 'main', '--', 'echo', 'a', 'b'])).toEqual({ out: 'a b\n', err: '', code: 0 });
  });

  test('exec passes the exit code and the error output', async () => {
    const { err, code } = await kubectl(['exec', 'web', '-c', 'main', '--', 'fail', '3']);
    expect(err).toBe('failed\ncommand terminated with exit code 3\n');
    expect(code).toBe(3);
  });

  test('exec passes the input until its end', async () => {
    const text = 'x'.repeat(300_000);
    expect((await kubectl(['exec', '-i', 'web', '-c', 'main', '--', 'cat'], text)).out).toBe(text);
  });

  test('exec delivers a large output whole', async () => {
    expect((await kubectl(['exec', 'web', '-c', 'main', '--', 'fill', '3000000'])).out.length).toBe(3_000_000);
  });

  test('exec shows why a command cannot be started', async () => {
    const { err, code } = await kubectl(['exec', 'web', '-c', 'main', '--', 'nope']);
    const once = 'Internal error occurred: ';
    const wrapped = overWebSocket === 'true' ? once : '';
    expect(err).toBe(`error: ${wrapped}${once}error executing command in container: exec: "nope": executable file not found in $PATH\n`);
    expect(code).toBe(1);
  });

  test('exec shows the refusal of a kubelet', async () => {
    const { err } = await kubectl(['exec', 'web', '-c', 'other', '--', 'echo']);
    const prefix = overWebSocket === 'true' ? 'Internal error occurred: ' : '';
    expect(err).toBe(`error: ${prefix}unable to upgrade connection: container not found ("other")\n`);
  });

  test('exec into an unbound pod is refused', async () => {
    const { err } = await kubectl(['exec', 'unbound', '-c', 'main', '--', 'echo']);
    expect(err).toBe('Error from server (BadRequest): pod unbound does not have a host assigned\n');
  });

  test('attach passes the input and the output', async () => {
    const { out, code } = await kubectl(['attach', '-i', 'web', '-c', 'main'], 'hello\n');
    expect(out).toBe('hello\n');
    expect(code).toBe(0);
    expect(served.kubelet.requests.at(-1)).toMatchObject({
      kind: 'attach',
      request: { stdin: true, stdout: true, stderr: true, tty: false },
    });
  });

  test('port-forward connects with a port, several times', async () => {
    const child = start(['port-forward', 'pod/web', ':80']);
    let [out, err] = ['', ''];
    child.stderr.on('data', (part) => {
      err += part;
    });
    const port = await new Promise<number>((resolve, reject) => {
      child.on('close', () => reject(new Error(err)));
      child.stdout.on('data', (part) => {
        out += part;
        const [, found] = /127\.0\.0\.1:(\d+) -> 80/.exec(out) ?? [];
        if (found) resolve(Number(found));
      });
    });
    const replies = await Promise.all(['first', 'second'].map((text) => exchange(port, text)));
    expect(replies).toEqual(['FIRST', 'SECOND']);
    child.kill();
  });

  test('port-forward shows why a port cannot be reached', async () => {
    const child = start(['port-forward', 'pod/web', ':81']);
    const err = await new Promise<string>((resolve) => {
      child.stdout.on('data', (part) => {
        const [, found] = /127\.0\.0\.1:(\d+) -> 81/.exec(String(part)) ?? [];
        if (found) void exchange(Number(found), 'x').catch(() => {});
      });
      child.stderr.on('data', (part) => resolve(String(part)));
    });
    expect(err).toContain('error forwarding port 81 to pod web, uid ');
    expect(err).toContain('dial tcp4 127.0.0.1:81: connect: connection refused');
    child.kill();
  });

  test('logs shows what the kubelet has, and its refusal', async () => {
    expect((await kubectl(['logs', 'web', '-c', 'main', '--tail=2'])).out).toBe('two\nthree\n');
    const { err } = await kubectl(['logs', 'web', '-c', 'other']);
    expect(err).toBe('Error from server (BadRequest): container "other" in pod "web" is waiting to start: ContainerCreating\n');
  });
});

/** Sends a text and returns the reply. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (part) => {
      reply += part;
    });
    socket.on('end', () => resolve(reply));
    socket.on('error', reject);
  });
}
