/** Controllers that `*` does not include. Cf. ControllersDisabledByDefault. */
const offByDefault: ReadonlySet<string> = new Set([
  'bootstrap-signer-controller',
  'selinux-warning-controller',
  'token-cleaner-controller',
]);

/**
 * Whether a list of `--controllers` without aliases enables a controller: `foo` enables it, `-foo` disables it, otherwise `*` enables it. The
 * first match wins.
 * Cf. k8s.io/controller-manager IsControllerEnabled.
 */
export function isControllerEnabled(name: string, selected: readonly string[]): boolean {
  const own = selected.find((one) => one.replace(/^-/, '') === name);
  if (own !== undefined) return !own.startsWith('-');
  return selected.includes('*') && !offByDefault.has(name);
}
