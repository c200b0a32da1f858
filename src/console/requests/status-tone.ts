/** The color of a status code, which is always shown next to its number. */
export function statusTone(status: number): 'good' | 'info' | 'warn' | 'bad' | '' {
  if (status === 0) return '';
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 500 ? 'warn' : 'bad';
}
