/** `01 Jan 2026 12:00:00.123`. */
export function logTime(ms: number): string {
  const date = new Date(ms);
  return `${date.toUTCString().slice(5, 16)} ${date.toISOString().slice(11, 23)}`;
}
