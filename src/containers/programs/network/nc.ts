import { type Connection, type Endpoint, NetworkError, type NetworkNamespace } from '../../../network/index.ts';
import type { Invocation } from '../../../shell/index.ts';
import { lookUpHost } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { parseOptions } from '../options.ts';

/** What a run of nc uses. */
interface Session {
  readonly invocation: Invocation;
  readonly process: Process;
  readonly network: NetworkNamespace;
  /** After this long without data it ends; undefined: never. */
  readonly idleMs: number | undefined;
}

/** `nc [-uvz] [-w SECONDS] HOST PORT` connects, `nc -l [-k] [-p] PORT` listens; both copy the input to the peer, and print what it sends. */
export const nc: Applet = async (invocation, process) => {
  const { flags, values, operands } = parseOptions(invocation.args, ['w', 'p', 's', 'i']);
  const { network } = process.container.listeners;
  const seconds = values.get('w');
  if (!network) return fail('network is unreachable', invocation);
  const session = { invocation, process, network, idleMs: seconds === undefined ? undefined : Number(seconds) * 1_000 };
  if (flags.has('l')) return listen(Number(values.get('p') ?? operands.at(-1)), flags.has('k'), session);
  const [host = '', port = ''] = operands;
  const [address] = await lookUpHost(host, process);
  if (address === undefined) return fail(`bad address '${host}'`, invocation);
  const to = { address, port: Number(port) };
  const opened = (): void => {
    if (flags.has('v')) invocation.err(`${host} (${address}:${port}) open\n`);
  };
  try {
    if (flags.has('u')) {
      opened();
      await exchangeDatagrams(to, flags.has('z'), session);
      return 0;
    }
    const connection = await connect(to, session);
    opened();
    if (flags.has('z')) await connection.sink.close();
    else await exchange(connection, session);
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return fail(`${host} (${address}:${port}): ${reasons[error.code] ?? 'Connection refused'}`, invocation);
  }
};

const reasons: Readonly<Partial<Record<string, string>>> = {
  ETIMEDOUT: 'Operation timed out',
  EHOSTUNREACH: 'Host is unreachable',
  ECONNRESET: 'Connection reset by peer',
};

function fail(message: string, { err }: Invocation): number {
  err(`nc: ${message}\n`);
  return 1;
}

async function connect(to: Endpoint, { network, invocation, process, idleMs }: Session): Promise<Connection> {
  const timeout = new AbortController();
  const cancel =
    idleMs === undefined
      ? (): void => {}
      : process.container.env.clock.schedule(idleMs, () => timeout.abort(new NetworkError('ETIMEDOUT', 'timed out')));
  try {
    return await network.connect(to, { signal: AbortSignal.any([invocation.signal, timeout.signal]) });
  } finally {
    cancel();
  }
}

/** Ends `end` when `touch` was not called for the idle time, or with the process. */
function watchIdle({ process, invocation, idleMs }: Session, end: () => void): { touch(): void; stop(): void } {
  let cancel = (): void => {};
  const touch = (): void => {
    cancel();
    if (idleMs !== undefined) cancel = process.container.env.clock.schedule(idleMs, end);
  };
  invocation.signal.addEventListener('abort', end, { once: true });
  touch();
  return {
    touch,
    stop() {
      cancel();
      invocation.signal.removeEventListener('abort', end);
    },
  };
}

/** Copies in both directions until the peer has ended. */
async function exchange(connection: Connection, session: Session): Promise<void> {
  const { input, out } = session.invocation;
  let isIdle = false;
  const idle = watchIdle(session, () => {
    isIdle = true;
    connection.abort(new NetworkError('ECONNRESET', 'connection reset by peer'));
  });
  // A peer that does not read any more ends the copying.
  void (async (): Promise<void> => {
    for (let chunk = await input.read(); chunk; chunk = await input.read()) {
      await connection.sink.write(chunk);
      idle.touch();
    }
    await connection.sink.close();
  })().catch(() => {});
  try {
    for await (const bytes of connection.source) {
      out(bytes);
      idle.touch();
    }
  } catch (error) {
    if (!isIdle) throw error;
  } finally {
    idle.stop();
    await connection.sink.close();
  }
}

async function exchangeDatagrams(to: Endpoint, isProbe: boolean, session: Session): Promise<void> {
  const { network, invocation } = session;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const idle = watchIdle(session, finish);
  const socket = network.bind({ port: 0 }, ({ bytes }) => {
    invocation.out(bytes);
    idle.touch();
  });
  try {
    if (isProbe) return;
    for (let chunk = await invocation.input.read(); chunk; chunk = await invocation.input.read()) socket.send(chunk, to);
    idle.touch();
    await finished;
  } finally {
    idle.stop();
    socket.close();
  }
}

/** Serves one connection, or with `isRepeated` one after the other. */
async function listen(port: number, isRepeated: boolean, session: Session): Promise<number> {
  const { invocation, process } = session;
  const waiting: Connection[] = [];
  let wake = (): void => {};
  const close = process.container.listeners.listen(port, {
    async accept(connection) {
      waiting.push(connection);
      wake();
    },
  });
  const ended = (): void => wake();
  invocation.signal.addEventListener('abort', ended, { once: true });
  try {
    while (!invocation.signal.aborted) {
      const connection = waiting.shift();
      if (connection) {
        await exchange(connection, { ...session, idleMs: undefined }).catch(() => {});
        if (!isRepeated) return 0;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    return 130;
  } finally {
    invocation.signal.removeEventListener('abort', ended);
    close();
  }
}
