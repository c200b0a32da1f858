import { forbiddenField, notSupported, ownMember } from '../../../../meta/index.ts';
import { type Errors, none } from '../../checks.ts';

const usual =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** By operating system; real-time signals are relative to both ends of their range. */
const signals: Readonly<Record<string, readonly string[]>> = {
  linux: [
    ...usual.split(' ').map((name) => `SIG${name}`),
    ...numbers(15).map((number) => `SIGRTMIN+${number}`),
    ...numbers(14).map((number) => `SIGRTMAX-${number}`),
  ],
  windows: ['SIGKILL', 'SIGTERM'],
};

/** `system`: the operating system of the pod, if set. Cf. upstream validateStopSignal. */
export function validateStopSignal(signal: string | undefined, system: string | undefined, path: string): Errors {
  if (signal === undefined) return none;
  if (system === undefined) return [forbiddenField(path, 'may not be set for containers with empty `spec.os.name`')];
  const supported = ownMember(signals, system);
  return supported === undefined || supported.includes(signal) ? none : [notSupported(path, signal, supported)];
}
