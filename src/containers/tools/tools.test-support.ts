import { ByteQueue } from '../../env/index.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

/** A pod whose container sleeps. */
export async function startPod(): Promise<TestSandbox> {
  const pod = new TestSandbox({});
  await pod.start({ command: ['sleep', '100000'] });
  return pod;
}

const target = { namespace: 'ns', name: 'web', uid: 'u', container: 'c' };

function exec(pod: TestSandbox, command: readonly string[], tty: boolean, write: (text: string) => void) {
  const stdin = new ByteQueue();
  const decoder = new TextDecoder();
  const sink = {
    async write(bytes: Uint8Array) {
      write(decoder.decode(bytes, { stream: true }));
    },
    close: async () => {},
  };
  const session = pod.sandbox.exec({ ...target, stdin: tty, stdout: true, stderr: !tty, tty, command });
  const ended = session.run(
    { stdin: tty ? stdin : undefined, stdout: sink, stderr: tty ? undefined : sink, resize: undefined },
    new AbortController().signal,
  );
  return { stdin, ended };
}

/** The output of a command line in the container. Resolves when it has ended; words may be in quotes. */
export async function runInside(pod: TestSandbox, line: string): Promise<string> {
  let text = '';
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''));
  const { ended } = exec(pod, words, false, (part) => {
    text += part;
  });
  await pod.advance(0.1);
  await ended;
  return text;
}

interface OpenTerminal {
  type(keys: string): Promise<void>;
  /** The output since the last call. */
  output(): string;
  advance(seconds: number): Promise<void>;
}

/** A terminal with a command in a container that sleeps. */
export async function openTerminal(...command: readonly string[]): Promise<OpenTerminal> {
  const pod = await startPod();
  let text = '';
  const { stdin } = exec(pod, command, true, (part) => {
    text += part;
  });
  await pod.advance(0.1);
  return {
    async type(keys) {
      await stdin.push(new TextEncoder().encode(keys));
      await pod.advance(0.1);
    },
    output() {
      const shown = text;
      text = '';
      return shown;
    },
    advance: (seconds) => pod.advance(seconds),
  };
}
