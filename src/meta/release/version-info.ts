/** The release whose behaviour is served; `kubectl version` shows it. */
export const release = { major: '1', minor: '34', patch: '4' } as const;

/** Defined by the build (build/build-commit.ts); undefined when the source runs directly. */
declare const __BUILD_COMMIT__: string | undefined;
declare const __BUILD_DATE__: string | undefined;

/** Values of a build without a stamp, as in kube-apiserver. */
const unstamped = { commit: '0'.repeat(40), date: '1970-01-01T00:00:00Z' };

/** The oldest version that servers of this release are compatible with. */
const oldestCompatibleMinor = 31;

/** Go's version.Info. */
export type VersionInfo = Readonly<
  Record<
    | 'major'
    | 'minor'
    | 'emulationMajor'
    | 'emulationMinor'
    | 'minCompatibilityMajor'
    | 'minCompatibilityMinor'
    | 'gitVersion'
    | 'gitCommit'
    | 'gitTreeState'
    | 'buildDate'
    | 'goVersion'
    | 'compiler'
    | 'platform',
    string
  >
>;

/**
 * The answer of `/version`, as Go's version.Info: the release that is served, and the build of this program. `emulatedMinor`: of
 * `--emulated-version`.
 */
export function versionInfo(emulatedMinor: number = Number(release.minor)): VersionInfo {
  const { major, minor, patch } = release;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: String(emulatedMinor),
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Math.max(oldestCompatibleMinor, emulatedMinor - 1)),
    gitVersion: `v${major}.${minor}.${patch}`,
    gitCommit: typeof __BUILD_COMMIT__ === 'string' ? __BUILD_COMMIT__ : unstamped.commit,
    gitTreeState: 'clean',
    buildDate: typeof __BUILD_DATE__ === 'string' ? __BUILD_DATE__ : unstamped.date,
    // The language version of the release: clients expect one of Go's.
    goVersion: 'go1.24',
    compiler: 'tabplane',
    platform: 'js/es2023',
  };
}
