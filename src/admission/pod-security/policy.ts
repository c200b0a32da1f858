import { type FieldError, invalid, type Product } from '../../meta/index.ts';

/** What a namespace's labels say of the pods in it (part "Pod Security" of the real server; upstream pod-security-admission/api). */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as of a release: what later releases forbid besides is not asked for. */
export interface LevelVersion {
  readonly level: Level;
  /** N of `v1.N`; infinity for the latest. */
  readonly minor: number;
}

export const modes = ['enforce', 'audit', 'warn'] as const;
export type Policy = Readonly<Record<(typeof modes)[number], LevelVersion>>;

export interface ReadPolicy {
  readonly policy: Policy;
  /** Labels that say nothing known. */
  readonly errors: readonly FieldError[];
}

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const latest = Number.POSITIVE_INFINITY;

export function textOfLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === latest ? 'latest' : `v1.${minor}`}`;
}

export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

export function isSameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** What namespaces say that say nothing. */
const nothingForbidden: LevelVersion = { level: 'privileged', minor: latest };
export const usualDefaults: Policy = { enforce: nothingForbidden, audit: nothingForbidden, warn: nothingForbidden };

export function isFullyPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** @throws RangeError in the real server's words */
export function parseLevel(text: string): Level {
  const known = levels.find((one) => one === text);
  if (!known) throw new RangeError(`must be one of ${levels.join(', ')}`);
  return known;
}

/** Gives the minor part. @throws RangeError in the real server's words */
export function parseVersion(text: string): number {
  const [, minor] = /^v1\.(\d|[1-9]\d+)$/.exec(text) ?? [];
  if (text !== 'latest' && minor === undefined) throw new RangeError('must be "latest" or "v1.x"');
  return minor === undefined ? latest : Number(minor);
}

/** What the labels of a namespace say, over what counts for those that say nothing. */
export function readPolicy(labels: Readonly<Record<string, string>>, defaults: Policy, product: Product): ReadPolicy {
  const errors: FieldError[] = [];
  const prefix = product.rename('pod-security.kubernetes.io/');
  const read = <Value>(name: string, parse: (text: string) => Value, unsaid: Value, otherwise: Value): Value => {
    const value = Object.hasOwn(labels, prefix + name) ? labels[prefix + name] : undefined;
    if (value === undefined) return unsaid;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push(invalid(`metadata.labels[${prefix}${name}]`, value, error.message));
      return otherwise;
    }
  };
  const [enforce, audit, warn] = modes.map((mode): LevelVersion => {
    // What enforces fails closed, what only tells fails open.
    const level = read(mode, parseLevel, defaults[mode].level, mode === 'enforce' ? 'restricted' : 'privileged');
    return { level, minor: read(`${mode}-version`, parseVersion, defaults[mode].minor, latest) };
  }) as [LevelVersion, LevelVersion, LevelVersion];
  const says = (name: string): boolean => Object.hasOwn(labels, prefix + name);
  const enforced = says('enforce') && levels.includes(labels[`${prefix}enforce`] as Level);
  // Who enforces is warned too, unless told otherwise.
  const warned = !says('warn') && enforced && isStricter(enforce.level, warn.level);
  const both = { level: enforce.level, minor: says('warn-version') ? warn.minor : enforce.minor };
  return { policy: { enforce, audit, warn: warned ? both : warn }, errors };
}
