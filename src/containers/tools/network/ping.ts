import { CommandError, type Invocation, readNumber } from '../../../shell/index.ts';
import { lookUpHost } from '../../network/host-names.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { readArguments } from '../arguments.ts';
import { isOwnProcess } from '../processes/find-processes.ts';

const usage = { options: '46qAc:s:t:i:w:W:I:p:', synopsis: '[OPTIONS] HOST', operands: [1, 1] as const };

const headerBytes = 8;

/** Sends ICMP echo requests, and prints the replies. */
export const ping: Applet = async (invocation, process) => {
  const { flags, values, operands } = readArguments(invocation, usage);
  const number = (letter: string, fallback: number): number =>
    values.has(letter) ? readNumber(invocation, values.get(letter) ?? '') : fallback;
  const [host = ''] = operands;
  const size = number('s', 56);
  const schedule = {
    count: number('c', Number.POSITIVE_INFINITY),
    interval: Number(values.get('i') ?? 1),
    replySeconds: number('W', 10),
    deadline: number('w', Number.POSITIVE_INFINITY),
  };
  if (!(schedule.interval >= 0)) throw new CommandError(`ping: invalid number '${values.get('i')}'`);
  const [address] = await lookUpHost(host, process, flags.has('6') ? 'AAAA' : 'A');
  if (address === undefined) throw new CommandError(`ping: bad address '${host}'`);
  invocation.out(`PING ${host} (${address}): ${size} data bytes\n`);
  const statistics = new Statistics(host);
  const interrupt = (): void => {
    invocation.out(statistics.summary);
    process.end({ code: statistics.code });
  };
  if (isOwnProcess(invocation, process)) process.onSignal('INT', interrupt);
  const run: Run = { address, size, isQuiet: flags.has('q'), statistics, invocation, process };
  await sendAll(run, schedule);
  invocation.out(statistics.summary);
  return statistics.code;
};

interface Run {
  readonly address: string;
  readonly size: number;
  readonly isQuiet: boolean;
  readonly statistics: Statistics;
  readonly invocation: Invocation;
  readonly process: Process;
}

/** Times in seconds. */
interface Schedule {
  readonly count: number;
  readonly interval: number;
  /** After the last request. */
  readonly replySeconds: number;
  readonly deadline: number;
}

async function sendAll(run: Run, { count, interval, replySeconds, deadline }: Schedule): Promise<void> {
  const { process, invocation, statistics } = run;
  let left = deadline;
  const wait = async (seconds: number): Promise<void> => {
    await process.sleep(Math.min(Math.max(seconds, 0.002), left) * 1000, invocation.signal);
    left -= seconds;
  };
  while (left > 0) {
    send(run);
    if (statistics.sent === count) break;
    await wait(interval);
  }
  if (statistics.times.length < statistics.sent && left > 0) await wait(replySeconds);
}

function send({ address, size, isQuiet, statistics, invocation, process }: Run): void {
  const { listeners, env } = process.container;
  const sequence = statistics.sent++;
  const ttl = listeners.network?.ping(address);
  if (ttl === undefined) return;
  const ms = (40 + env.random.integer(100)) / 1000;
  statistics.times.push(ms);
  if (!isQuiet) invocation.out(`${size + headerBytes} bytes from ${address}: seq=${sequence} ttl=${ttl} time=${ms.toFixed(3)} ms\n`);
}

class Statistics {
  sent = 0;
  /** Of the replies. */
  readonly times: number[] = [];
  readonly #host: string;

  constructor(host: string) {
    this.#host = host;
  }

  get code(): number {
    return this.times.length > 0 ? 0 : 1;
  }

  get summary(): string {
    const { sent, times } = this;
    const loss = sent === 0 ? 0 : Math.floor(((sent - times.length) * 100) / sent);
    const head = `\n--- ${this.#host} ping statistics ---\n${sent} packets transmitted, ${times.length} packets received, ${loss}% packet loss\n`;
    if (times.length === 0) return head;
    const [least, most] = [Math.min(...times.slice(-1000)), Math.max(...times.slice(-1000))];
    const average = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    return `${head}round-trip min/avg/max = ${[least, average, most].map((ms) => ms.toFixed(3)).join('/')} ms\n`;
  }
}
