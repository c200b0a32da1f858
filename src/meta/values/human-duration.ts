const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/**
 * Formats a duration as in the AGE column: two units where the second one is significant, otherwise one.
 *
 * 119s   2m   9m59s   179m   3h   7h59m   47h   2d   7d23h   729d   2y   7y364d   8y
 *
 * Cf. k8s.io/apimachinery util/duration HumanDuration. Below minus one second it is `<invalid>`: the clock was set back.
 */
export function formatHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / secondMs);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * 60) return `${seconds}s`;
  const minutes = Math.trunc(ms / minuteMs);
  if (minutes < 10) return formatTwoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 3 * 60) return `${minutes}m`;
  const hours = Math.trunc(ms / hourMs);
  if (hours < 8) return formatTwoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 2 * 24) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 8 * 24) return formatTwoUnits(days, 'd', hours % 24, 'h');
  if (hours < 2 * 365 * 24) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 8 * 365 * 24) return formatTwoUnits(years, 'y', days % 365, 'd');
  return `${years}y`;
}

/** Formats a duration in its largest unit: `59s`, `59m`, `23h`, `364d`, `1y`. Cf. util/duration ShortHumanDuration. */
export function formatShortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / secondMs);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.trunc(ms / minuteMs);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.trunc(ms / hourMs);
  if (hours < 24) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  return days < 365 ? `${days}d` : `${Math.trunc(days / 365)}y`;
}

function formatTwoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
