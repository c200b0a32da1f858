import { release } from '../../meta/index.ts';
import { formatGroupVersion, type Resource } from '../../schema/index.ts';
import type { Route } from '../route.ts';
import type { ServerDependencies } from '../server-dependencies.ts';

/** Whether a release such as `1.36` is later than the served one. */
function isFutureRelease(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > Number(release.major) || (major === Number(release.major) && minor > Number(release.minor));
}

function isDeprecated({ custom, lifecycle }: Resource): boolean {
  return custom?.deprecation !== undefined || (lifecycle.deprecated !== undefined && !isFutureRelease(lifecycle.deprecated));
}

/** Audit annotations for calls to deprecated versions (part 9.2). */
export function deprecationAnnotations({ product }: ServerDependencies, route: Route | undefined): Readonly<Record<string, string>> {
  if (!route || !isDeprecated(route.resource)) return {};
  const { removed = '' } = route.resource.lifecycle;
  const { deprecatedAuditAnnotation, removedReleaseAuditAnnotation } = product.names;
  return { [deprecatedAuditAnnotation]: 'true', ...(removed === '' ? {} : { [removedReleaseAuditAnnotation]: removed }) };
}

/** Adds a warning to calls to deprecated versions (part 9.2). */
export function warnOfDeprecation(server: ServerDependencies, route: Route, warnings: Set<string>): void {
  const { resource } = route;
  if (!isDeprecated(resource)) return;
  const { deprecated, removed, replacement } = resource.lifecycle;
  if (resource.custom?.deprecation !== undefined) warnings.add(resource.custom.deprecation);
  else {
    const unavailable = removed === undefined ? '' : `, unavailable in v${removed}+`;
    const instead = replacement === undefined || replacement === '' ? '' : `; use ${replacement}`;
    warnings.add(`${formatGroupVersion(resource)} ${resource.kind} is deprecated in v${deprecated}+${unavailable}${instead}`);
  }
  server.metrics.noteDeprecated({
    group: resource.group,
    removed_release: removed ?? '',
    resource: resource.name,
    subresource: route.subresource?.name ?? '',
    version: resource.version,
  });
}
