/** What a command uses besides its image's idle usage. */
export interface ProcessLoad {
  /** Thousandths of a CPU. */
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  /** Requests to a host, as of the load generator of the HorizontalPodAutoscaler walkthrough. */
  readonly requests: { readonly host: string; readonly perSecond: number } | undefined;
}

/** Parts of commands that use a whole CPU. */
const busyCommands: readonly string[] = [
  'yes >',
  'yes |',
  'md5sum /dev/zero',
  'md5sum /dev/urandom',
  'sha1sum /dev/zero',
  'sha256sum /dev/zero',
  'sha512sum /dev/zero',
  'dd if=/dev/zero of=/dev/null',
  'openssl speed',
  'do :; done',
  'do true; done',
];

const loopPattern = /\b(while|until|for)\b/;
const clientPattern = /\b(wget|curl|ab|hey|wrk|siege)\b/;
const benchmarkPattern = /\b(ab|hey|wrk|siege)\b/;
const urlPattern = /https?:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/;

/** The time of one request without a pause. */
const requestSeconds = 0.01;

/** The load of a command with its arguments. */
export function loadOf(words: readonly string[]): ProcessLoad {
  const text = words.join(' ').replace(/\s+/g, ' ');
  const stress = /(^|\/|\s)stress(-ng)?\s/.test(`${text} `);
  const workers = stress ? numberAfter(words, '--cpu', '-c') : busyCommands.filter((command) => text.includes(command)).length;
  const vms = stress ? Math.max(1, numberAfter(words, '--vm', '-m')) : 0;
  return {
    cpuMilli: 1000 * (workers + (stress ? numberAfter(words, '--vm', '-m') : 0)),
    memoryBytes: vms * bytesOf(valueAfter(words, '--vm-bytes') ?? ''),
    requests: requestsOf(text),
  };
}

function requestsOf(text: string): ProcessLoad['requests'] {
  const host = urlPattern.exec(text)?.[1];
  const repeats = benchmarkPattern.test(text) || (loopPattern.test(text) && clientPattern.test(text));
  if (host === undefined || !repeats) return undefined;
  const pause = Number(/\bsleep (\d*\.?\d+)/.exec(text)?.[1] ?? 0);
  return { host, perSecond: 1 / (requestSeconds + pause) };
}

function valueAfter(words: readonly string[], ...names: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const [name = '', value] = word.split('=');
    if (names.includes(name)) return value ?? words[index + 1];
  }
  return undefined;
}

const numberAfter = (words: readonly string[], ...names: readonly string[]): number => Number(valueAfter(words, ...names) ?? 0) || 0;

/** `250M`. */
function bytesOf(text: string): number {
  const match = /^(\d+)([BKMG]?)$/i.exec(text);
  return match ? Number(match[1]) * 1024 ** 'BKMG'.indexOf((match[2] || 'B').toUpperCase()) : 0;
}
