/** An integer, or a text that is usually a percentage (part 2.5). */
export type IntOrString = number | string;

/** Invalid percentage; the message is the real server's. */
export class PercentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PercentError';
  }
}

/** Returns an integer as is, and `25%` as that part of `total`, rounded `up` or down. @throws PercentError */
export function resolveIntOrPercent(value: IntOrString, total: number, up: boolean): number {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  const part = (percent * total) / 100;
  // Adding zero turns -0 into 0.
  return (up ? Math.ceil(part) : Math.floor(part)) + 0;
}

function parsePercent(text: string): number {
  if (!text.endsWith('%')) throw new PercentError('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = text.slice(0, -1);
  if (!/^[-+]?\d+$/.test(digits)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`;
    throw new PercentError(`invalid value for IntOrString: invalid value ${JSON.stringify(text)}: ${why}`);
  }
  return Number(digits);
}
