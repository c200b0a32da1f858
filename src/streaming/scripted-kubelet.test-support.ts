import type { ByteSource, ByteStream } from '../env/index.ts';
import { type ContainerSession, type ExecRequest, type KubeletApi, KubeletError, type LogRequest, type SessionStreams } from './index.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Programs by their name: they get the words of the command and the streams, and return an exit code. */
type Programs = Readonly<Record<string, (streams: SessionStreams, words: readonly string[], signal: AbortSignal) => Promise<number>>>;

const programs: Programs = {
  /** Prints its arguments. */
  async echo({ stdout }, words) {
    await stdout?.write(encoder.encode(`${words.slice(1).join(' ')}\n`));
    return 0;
  },
  async fail({ stderr }, [, code = '1']) {
    await stderr?.write(encoder.encode('failed\n'));
    return Number(code);
  },
  /** Copies its input until it ends. */
  async cat({ stdin, stdout }) {
    if (stdin) for await (const bytes of stdin) await stdout?.write(bytes);
    return 0;
  },
  /** Prints the first size of the terminal. */
  async size({ resize, stdout }) {
    for await (const { width, height } of resize ?? []) {
      await stdout?.write(encoder.encode(`${width}x${height}\n`));
      return 0;
    }
    return 1;
  },
  /** Writes a number of bytes. */
  async fill({ stdout }, [, size = '0']) {
    for (let left = Number(size); left > 0; left -= 65_536) await stdout?.write(new Uint8Array(Math.min(left, 65_536)).fill(120));
    return 0;
  },
  /** Runs until the client has disconnected. */
  async wait(_, __, signal) {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 0;
  },
};

export interface ScriptedKubelet extends KubeletApi {
  /** The requests so far. */
  readonly requests: readonly { readonly kind: string; readonly request: object }[];
}

/** A kubelet whose container `main` runs scripted programs. Attach runs `cat`; port 80 echoes in capitals, all others refuse. */
export function createScriptedKubelet(): ScriptedKubelet {
  const requests: { kind: string; request: object }[] = [];
  const session = (kind: string, request: ExecRequest): ContainerSession => {
    requests.push({ kind, request });
    if (request.container !== 'main') throw new KubeletError(500, `container not found (${JSON.stringify(request.container)})`);
    const [name = ''] = request.command;
    return {
      async run(streams, signal) {
        const program = programs[name];
        if (!program) throw new Error(`exec: ${JSON.stringify(name)}: executable file not found in $PATH`);
        return { exitCode: await program(streams, request.command, signal) };
      },
    };
  };
  return {
    requests,
    exec: async (request) => session('exec', request),
    attach: async (request) => session('attach', { ...request, command: ['cat'] }),
    async containerLogs(request) {
      requests.push({ kind: 'logs', request });
      if (request.container !== 'main')
        throw new KubeletError(400, `container "${request.container}" in pod "${request.name}" is waiting to start: ContainerCreating`);
      return logLines(request);
    },
    async portForward(request) {
      requests.push({ kind: 'portForward', request });
      return {
        async connect(port) {
          if (port !== 80) throw new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
          return capitals();
        },
      };
    },
    http: async ({ method, target }) => ({ status: 200, headers: [['content-type', 'text/plain']], body: `${method} ${target}` }),
  };
}

async function* logLines({ tailLines = 3 }: LogRequest): ByteSource {
  for (const line of ['one', 'two', 'three'].slice(-tailLines)) yield encoder.encode(`${line}\n`);
}

/** Returns what is written in capitals, and ends when the writer ends. */
function capitals(): ByteStream {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => controller.enqueue(encoder.encode(decoder.decode(bytes).toUpperCase())),
  });
  const writer = writable.getWriter();
  return {
    source: readable as unknown as ByteSource,
    sink: { write: (bytes) => writer.write(bytes), close: () => writer.close() },
    abort: (reason) => void writer.abort(reason).catch(() => {}),
  };
}
