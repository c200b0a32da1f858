import { execFileSync } from 'node:child_process';

/** The build information of `/version`, for Vite's `define`: the commit and its date, so that the same source builds the same files. */
export const buildCommit: Readonly<Record<string, string>> = {
  __BUILD_COMMIT__: JSON.stringify(fromGit('%H') ?? '0'.repeat(40)),
  __BUILD_DATE__: JSON.stringify(fromGit('%cd') ?? '1970-01-01T00:00:00Z'),
};

/** A field of the last commit; undefined outside of a repository, as in a package. */
function fromGit(format: string): string | undefined {
  try {
    const words = ['log', '-1', '--date=format-local:%Y-%m-%dT%H:%M:%SZ', `--format=${format}`];
    const text = execFileSync('git', words, {
      cwd: import.meta.dirname,
      env: { ...process.env, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    return text.trim() || undefined;
  } catch {
    // No git, or no repository.
    return undefined;
  }
}
