/** `--name=value`, `--name value` of a command in Go; a flag without a value is `true`. `short` maps letters to names. */
export function parseFlags(args: readonly string[], short: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const match = /^--?([\w.-]+?)(?:=([\s\S]*))?$/.exec(args[at] ?? '');
    if (!match) continue;
    const [, name = '', value] = match;
    const next = args[at + 1];
    const full = short[name] ?? name;
    if (value !== undefined) flags.set(full, value);
    else if (next !== undefined && !/^-(?!\d)/.test(next)) {
      flags.set(full, next);
      at++;
    } else flags.set(full, 'true');
  }
  return flags;
}

/** `1m30s`, `500ms` in milliseconds; undefined: it is no duration. */
export function parseDuration(text: string): number | undefined {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
  if (text === '0') return 0;
  const parts = text.split(/(?<=[a-z])(?=\d)/).map((part) => /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(part));
  let sum = 0;
  for (const part of parts) {
    if (!part) return undefined;
    sum += Number(part[1]) * (units[part[2] ?? ''] ?? 0);
  }
  return sum;
}
