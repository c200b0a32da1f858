import type { CustomVersion } from './custom-version.ts';
import type { StructSchema } from './schema.ts';

/** An API verb on a resource (part 1). */
export type ResourceVerb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

/** One resource in one version, as in discovery and in the registry. */
export interface Resource extends GroupVersion {
  /** Plural, as in the URL: `pods`. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<ResourceVerb>;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash: string | undefined;
  /** The storage version, as `group/version`. */
  readonly storageVersion: string;
  /** Supported field labels, besides metadata.name and, when namespaced, metadata.namespace. */
  readonly fieldSelectors: readonly string[];
  /** Whether a field selector may use metadata.namespace (exceptions among cluster-scoped kinds). */
  readonly namespaceSelector: boolean;
  /** DELETE returns the object rather than a Status. */
  readonly deleteReturnsObject: boolean;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly schema: StructSchema;
  readonly lifecycle: Lifecycle;
  /** The kind of its list. */
  readonly listKind: string;
  /** Settings from the CustomResourceDefinition; undefined for built-in resources. */
  readonly custom: CustomVersion | undefined;
}

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** `group/version` of the subresource's kind; by default the resource's own. */
  readonly groupVersion: string;
  readonly verbs: ReadonlySet<ResourceVerb>;
}

/** Releases as `1.19`; absent when unknown. */
export interface Lifecycle {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** `discovery.k8s.io/v1 EndpointSlice`. */
  readonly replacement?: string;
}

/** A group with its served versions, the preferred one first. */
export interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

/** `v1`, `apps/v1`. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The inverse of `formatGroupVersion`. */
export function parseGroupVersion(text: string): GroupVersion {
  const cut = text.indexOf('/');
  return cut < 0 ? { group: '', version: text } : { group: text.slice(0, cut), version: text.slice(cut + 1) };
}

/** The name of a resource in errors: `deployments.apps`, `pods`. */
export function formatGroupResource({ group, name }: { readonly group: string; readonly name: string }): string {
  return group === '' ? name : `${name}.${group}`;
}
