import { FlagError } from './flag-error.ts';

const [floor, current] = [31, 34];

/**
 * The minor version of `--emulated-version`: `1.33` or `kube=1.33`. Cf. component-base compatibility/registry.go and version.go.
 * @throws FlagError with the message of kube-apiserver
 */
export function readEmulatedMinor(values: readonly string[]): number {
  const versions = new Map<string, string>();
  for (const value of values) {
    const [component = '', text = ''] = value.includes('=') ? value.split('=', 2).map((part) => part.trim()) : ['kube', value];
    const parsed = /^\s*v?(\d+)\.(\d+)(?:\.(\d+))?$/.exec(text);
    if (!parsed) throw new FlagError(`could not parse ${JSON.stringify(text)} as version`);
    const [, major, minor, patch = '0'] = parsed;
    if (Number(patch) !== 0) throw new FlagError(`patch version not allowed, got: ${component}=${text.trim()}`);
    const known = versions.get(component);
    const version = `${major}.${minor}`;
    if (known !== undefined) throw new FlagError(`duplicate version flag, ${component}=${known} and ${component}=${version}`);
    versions.set(component, version);
  }
  for (const component of versions.keys()) if (component !== 'kube') throw new FlagError(`component not registered: ${component}`);
  return minorOf(versions.get('kube') ?? `1.${current}`);
}

function minorOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const rank = (major - 1) * 1000 + minor;
  const emulation = `emulation version ${version} is not between [1.${floor}, 1.${current}.0]`;
  if (rank < floor)
    throw new FlagError(`[${emulation}, minCompatibilityVersion version 1.${floor} is not between [1.${floor}, ${version}]]`);
  if (rank > current) throw new FlagError(emulation);
  return minor;
}
