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

export function readPolicy(labels: Readonly<Record<string, string>>, product: Product): ReadPolicy {
  const errors: FieldError[] = [];
  const prefix = product.rename('pod-security.kubernetes.io/');
  const label = (name: string): string | undefined => (Object.hasOwn(labels, prefix + name) ? labels[prefix + name] : undefined);
  const wrong = (name: string, value: string, why: string): void => {
    errors.push(invalid(`metadata.labels[${prefix}${name}]`, value, why));
  };
  const read = (mode: (typeof modes)[number]): LevelVersion => {
    const [level, version] = [label(mode), label(`${mode}-version`)];
    const known = levels.find((one) => one === level);
    if (level !== undefined && !known) wrong(mode, level, `must be one of ${levels.join(', ')}`);
    const minor = minorOf(version ?? 'latest');
    if (version !== undefined && minor === undefined) wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"');
    // What enforces fails closed, what only tells fails open.
    const otherwise = level !== undefined && mode === 'enforce' ? 'restricted' : 'privileged';
    return { level: known ?? otherwise, minor: minor ?? latest };
  };
  const [enforce, audit, warn] = modes.map(read) as [LevelVersion, LevelVersion, LevelVersion];
  const enforced = levels.includes(label('enforce') as Level);
  // Who enforces is warned too, unless told otherwise.
  const warned = label('warn') === undefined && enforced && isStricter(enforce.level, warn.level);
  const both = { level: enforce.level, minor: label('warn-version') === undefined ? enforce.minor : warn.minor };
  return { policy: { enforce, audit, warn: warned ? both : warn }, errors };
}

function minorOf(version: string): number | undefined {
  if (version === 'latest') return latest;
  const [, minor] = /^v1\.(\d|[1-9]\d+)$/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
