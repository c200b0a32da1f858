import { type ApiResponse, goQuote } from '../../meta/index.ts';
import { uncached } from '../response/respond.ts';

/** A check of `/livez`, `/readyz` and `/healthz` (part 4.12). */
export interface HealthCheck {
  readonly name: string;
  /** The only endpoint that includes the check; undefined: all of them. */
  readonly only?: '/readyz';
  /** An endpoint without the check. */
  readonly except?: '/livez';
  /** A check of this server alone: listed only while it fails, and not part of `/readyz`. */
  readonly isUnlisted?: true;
  /** Undefined when healthy, else the reason. */
  run(): Promise<string | undefined>;
}

/** A health check of one endpoint, with its result. */
export type HealthLabels = Readonly<Record<'name' | 'status' | 'type', string>>;

export const healthRoots = ['/livez', '/readyz', '/healthz'] as const;

export function isHealthPath(path: string): boolean {
  return healthRoots.some((root) => path === root || path.startsWith(`${root}/`));
}

/** Undefined for an unknown check. `onChecked` gets the result of each check of a whole endpoint. */
export async function answerHealth(
  path: string,
  query: URLSearchParams,
  checks: readonly HealthCheck[],
  onChecked: (labels: HealthLabels) => void,
): Promise<ApiResponse | undefined> {
  const root = healthRoots.find((one) => path.startsWith(one)) ?? '/healthz';
  const own = checksOf(root, checks);
  if (path === root) return answerAll(root.slice(1), query, own, onChecked);
  const single = path.slice(root.length + 1);
  const check = own.find(({ name }) => name === single);
  if (!check) return undefined;
  const problem = await check.run();
  if (problem !== undefined) return plain(500, `internal server error: ${problem}\n`);
  return { status: 200, headers: [uncached, ['content-type', 'text/plain; charset=utf-8']], body: 'ok' };
}

/** The checks of an endpoint. */
export function checksOf(root: string, checks: readonly HealthCheck[]): readonly HealthCheck[] {
  return checks.filter(({ only, except, isUnlisted }) =>
    isUnlisted ? root !== '/readyz' : except !== root && (only === undefined || only === root),
  );
}

/** All paths of health endpoints. */
export function healthPaths(checks: readonly HealthCheck[]): readonly string[] {
  return healthRoots.flatMap((root) => [
    root,
    ...checksOf(root, checks).flatMap(({ name, isUnlisted }) => (isUnlisted ? [] : [`${root}/${name}`])),
  ]);
}

async function answerAll(
  name: string,
  query: URLSearchParams,
  checks: readonly HealthCheck[],
  onChecked: (labels: HealthLabels) => void,
): Promise<ApiResponse> {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const problem = await check.run();
    if (check.isUnlisted && problem === undefined) continue;
    onChecked({ name: check.name, status: problem === undefined ? 'success' : 'error', type: name });
    failed ||= problem !== undefined;
    lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excluded.size > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${[...excluded].sort().map(goQuote).join(',')}`);
  if (failed) return plain(500, `${lines.join('\n')}\n${name} check failed\n`);
  return plain(200, query.has('verbose') ? `${lines.join('\n')}\n${name} check passed\n` : 'ok');
}

/** A plain text response. */
export function plain(status: number, text: string): ApiResponse {
  return { status, headers: [uncached, ['content-type', 'text/plain; charset=utf-8'], ['x-content-type-options', 'nosniff']], body: text };
}
