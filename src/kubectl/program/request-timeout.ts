import type { Call } from './command.ts';
import { KubectlError, RequestTimeout } from './errors.ts';

/** `--request-timeout`: the value to send, and the signal that aborts requests; undefined for none. @throws KubectlError */
export function parseRequestTimeout(call: Call, text: string): { readonly text: string; readonly signal: AbortSignal } | undefined {
  const match = /^(\d+)(ms|s|m|h)?$/.exec(text);
  if (!match) {
    throw new KubectlError(
      'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
  }
  const ms = Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[(match[2] ?? 's') as 'ms' | 's' | 'm' | 'h'];
  return ms === 0 ? undefined : { text: match[2] ? text : `${text}s`, signal: createTimeoutSignal(call, ms) };
}

function createTimeoutSignal(call: Call, ms: number): AbortSignal {
  const over = new AbortController();
  const cancel = call.shell.clock.schedule(ms, () => over.abort(new RequestTimeout('context deadline exceeded')));
  call.signal.addEventListener('abort', cancel, { once: true });
  return AbortSignal.any([call.signal, over.signal]);
}
