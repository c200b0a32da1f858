/** The release whose behaviour is served; `kubectl version` shows it. */
export const release = { major: '1', minor: '34', patch: '4' } as const;

/** The answer of `/version`, as Go's version.Info. */
export function versionInfo(): Readonly<Record<string, string>> {
  const { major, minor, patch } = release;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '',
    goVersion: '',
    compiler: 'tabplane',
    platform: 'js/es2023',
  };
}
