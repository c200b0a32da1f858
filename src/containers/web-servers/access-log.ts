const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The common log format: `10.244.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5`. */
export function accessLine(
  request: { readonly method: string; readonly target: string; readonly remote: string },
  status: number,
  bytes: number,
  nowMs: number,
): string {
  const iso = new Date(nowMs).toISOString();
  const day = `${iso.slice(8, 10)}/${months[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}`;
  return `${addressOf(request.remote)} - - [${day}:${iso.slice(11, 19)} +0000] "${request.method} ${request.target} HTTP/1.1" ${status} ${bytes}`;
}

/** `address:port` without the port. */
export const addressOf = (remote: string): string => remote.replace(/:\d+$/, '');

/** `01-Jan-2026 00:00`. */
export function listTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(8, 10)}-${months[Number(iso.slice(5, 7)) - 1]}-${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
}
