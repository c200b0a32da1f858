import type { ClientOptions } from '../api/client.ts';
import type { Call } from './command.ts';
import { messageOf } from './errors.ts';
import { logLine } from './log-line.ts';

/** Go's http.StatusText. */
const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Logs a completed request, as kubectl with `-v=6`. */
export function logRequest(call: Call, { method, url, status, ms }: Parameters<ClientOptions['onRequest']>[0]): void {
  const text = `"Response" verb="${method}" url="${url}" status="${status} ${statusTexts[status] ?? ''}" milliseconds=${Math.round(ms)}`;
  call.err(logLine(call, 'I', 'round_trippers.go:632', text));
}

/** Logs that discovery could not be read. */
export function logDiscoveryFailure(call: Call, error: unknown): void {
  const why = `couldn't get current server API group list: ${messageOf(error)}`;
  const shown = why.includes('\n') ? `<\n\t${why.replaceAll('\n', '\n\t')}\n >` : JSON.stringify(why);
  call.err(logLine(call, 'E', 'memcache.go:265', `"Unhandled Error" err=${shown}`));
}
