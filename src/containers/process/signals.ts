/** Signals by their number. */
export const signalNumbers = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  WINCH: 28,
} as const;

export type SignalName = keyof typeof signalNumbers;

/** Signals that do nothing where no handler is set. */
const ignored: ReadonlySet<SignalName> = new Set(['CHLD', 'WINCH']);

export const isIgnoredByDefault = (signal: SignalName): boolean => ignored.has(signal);

/** `TERM`, `SIGTERM` or `15`; undefined: there is no such signal. */
export function signalOf(text: string): SignalName | undefined {
  const name = text.toUpperCase().replace(/^SIG/, '');
  if (Object.hasOwn(signalNumbers, name)) return name as SignalName;
  return (Object.keys(signalNumbers) as SignalName[]).find((signal) => String(signalNumbers[signal]) === text);
}

/** The exit code of a process that a signal has ended, as a shell shows it. */
export const exitCodeOf = (signal: SignalName): number => 128 + signalNumbers[signal];
