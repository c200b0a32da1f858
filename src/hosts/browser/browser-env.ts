import type { Clock, Env, Log, Random } from '../../env/index.ts';
import { bytesToHex } from '../../meta/index.ts';
import { createRealClock } from '../real-clock.ts';

/** The real clock, random source and log of a page or worker. */
export function createBrowserEnv(): Env {
  return { clock: browserClock, random: browserRandom, log: browserLog };
}

const browserClock: Clock = createRealClock({
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  nextTurn: createNextTurn(),
});

/** Turns by messages: browsers delay nested timers by 4 ms. */
function createNextTurn(): Clock['nextTurn'] {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}

const browserRandom: Random = {
  integer: (below) => Math.floor(Math.random() * below),
  uuid: randomUuid,
};

/** `crypto.randomUUID` is missing in insecure contexts (plain HTTP from another machine); `getRandomValues` is not. */
function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const browserLog: Log = {
  error: (event, details) => console.error(event, details),
  warn: (event, details) => console.warn(event, details),
  info: (event, details) => console.debug(event, details),
};
