/** The look of a status code; its number always stands beside. */
export function statusTone(status: number): 'good' | 'info' | 'warn' | 'bad' | '' {
  if (status === 0) return '';
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 500 ? 'warn' : 'bad';
}
