import { type FieldError, invalid, type Product } from '../../meta/index.ts';

/** A Pod Security level, set by labels of a namespace (upstream pod-security-admission/api). */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as defined in one release; checks of later releases do not apply. */
export interface LevelVersion {
  readonly level: Level;
  /** N of `v1.N`; infinity for the latest. */
  readonly minor: number;
}

export const modes = ['enforce', 'audit', 'warn'] as const;
export type Policy = Readonly<Record<(typeof modes)[number], LevelVersion>>;

export interface ParsedPolicy {
  readonly policy: Policy;
  /** Errors in the labels. */
  readonly errors: readonly FieldError[];
}

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const latest = Number.POSITIVE_INFINITY;

export function formatLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === latest ? 'latest' : `v1.${minor}`}`;
}

export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

export function isSameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** The default for namespaces without labels. */
const privilegedLevel: LevelVersion = { level: 'privileged', minor: latest };
export const defaultPolicy: Policy = { enforce: privilegedLevel, audit: privilegedLevel, warn: privilegedLevel };

export function isFullyPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** @throws RangeError with upstream's message */
export function parseLevel(text: string): Level {
  const known = levels.find((one) => one === text);
  if (!known) throw new RangeError(`must be one of ${levels.join(', ')}`);
  return known;
}

/** Returns the minor version. @throws RangeError with upstream's message */
export function parseVersion(text: string): number {
  const [, minor] = /^v1\.(\d|[1-9]\d+)$/.exec(text) ?? [];
  if (text !== 'latest' && minor === undefined) throw new RangeError('must be "latest" or "v1.x"');
  return minor === undefined ? latest : Number(minor);
}

/** Reads the policy from the labels of a namespace, with defaults for missing labels. */
export function parsePolicy(labels: Readonly<Record<string, string>>, defaults: Policy, product: Product): ParsedPolicy {
  const errors: FieldError[] = [];
  const prefix = product.rename('pod-security.kubernetes.io/');
  const read = <Value>(name: string, parse: (text: string) => Value, missing: Value, fallback: Value): Value => {
    const value = Object.hasOwn(labels, prefix + name) ? labels[prefix + name] : undefined;
    if (value === undefined) return missing;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push(invalid(`metadata.labels[${prefix}${name}]`, value, error.message));
      return fallback;
    }
  };
  const [enforce, audit, warn] = modes.map((mode): LevelVersion => {
    // Invalid levels fail closed for `enforce`, and open for `audit` and `warn`.
    const level = read(mode, parseLevel, defaults[mode].level, mode === 'enforce' ? 'restricted' : 'privileged');
    return { level, minor: read(`${mode}-version`, parseVersion, defaults[mode].minor, latest) };
  }) as [LevelVersion, LevelVersion, LevelVersion];
  const hasLabel = (name: string): boolean => Object.hasOwn(labels, prefix + name);
  const enforced = hasLabel('enforce') && levels.includes(labels[`${prefix}enforce`] as Level);
  // `warn` follows `enforce` unless it is set explicitly.
  const warned = !hasLabel('warn') && enforced && isStricter(enforce.level, warn.level);
  const both = { level: enforce.level, minor: hasLabel('warn-version') ? warn.minor : enforce.minor };
  return { policy: { enforce, audit, warn: warned ? both : warn }, errors };
}
