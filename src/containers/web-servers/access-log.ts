/** `01 Jan 2026` with another separator. */
const dayOf = (date: Date, separator: string): string => date.toUTCString().slice(5, 16).replaceAll(' ', separator);

/** The common log format: `10.244.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5`. */
export function accessLine(
  request: { readonly method: string; readonly target: string; readonly remote: string },
  status: number,
  bytes: number,
  nowMs: number,
): string {
  const date = new Date(nowMs);
  const time = `${dayOf(date, '/')}:${date.toISOString().slice(11, 19)} +0000`;
  return `${addressOf(request.remote)} - - [${time}] "${request.method} ${request.target} HTTP/1.1" ${status} ${bytes}`;
}

/** `address:port` without the port. */
export const addressOf = (remote: string): string => remote.replace(/:\d+$/, '');

/** `01-Jan-2026 00:00`. */
export function listTime(ms: number): string {
  const date = new Date(ms);
  return `${dayOf(date, '-')} ${date.toISOString().slice(11, 16)}`;
}
