export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const highest = 65_535;

/** Parses `30000-32767`, `30000+2767` or one port; returns Go's error message for others (upstream ParsePortRange). */
export function readPortRange(text: string): PortRange | string {
  const [, from = text, sign = '', to = from] = /^([^-+]*)([-+])(.*)$/.exec(text) ?? [];
  const wrong = [from, to].find((part) => !/^[-+]?\d+$/.test(part));
  if (wrong !== undefined) return `strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`;
  const first = Number(from);
  const last = sign === '+' ? first + Number(to) : Number(to);
  if (first > highest || last > highest) return `the port range cannot be greater than 65535: ${text}`;
  return last < first ? `end port cannot be less than start port: ${text}` : { first, last };
}
