/** The name of a sysctl whose first separator may be a slash. Cf. k8s.io/component-helpers/node/util/sysctl NormalizeName. */
export const sysctlName = (name: string): string =>
  /^[^./]*\//.test(name) ? name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/')) : name;
