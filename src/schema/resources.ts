import type { CustomVersion } from './custom-version.ts';
import type { StructSchema } from './schema.ts';

/** An API verb on a resource (part 1). */
export type ResourceVerb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

/** One resource in one version, as discovery shows it and the registry serves it. */
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
  /** The version in which objects are stored, as `group/version`. */
  readonly storageVersion: string;
  /** Field labels a selector may use, beyond metadata.name and, when namespaced, metadata.namespace. */
  readonly fieldSelectors: readonly string[];
  /** Whether a selector may name metadata.namespace (exceptions among cluster-scoped kinds). */
  readonly namespaceSelector: boolean;
  /** DELETE answers with the object rather than a Status. */
  readonly deleteReturnsObject: boolean;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly schema: StructSchema;
  readonly lifecycle: Lifecycle;
  /** What a list of it is called. */
  readonly listKind: string;
  /** What a CustomResourceDefinition says of it; undefined for what is built in. */
  readonly custom: CustomVersion | undefined;
}

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** `group/version` of the kind it speaks; the resource's own unless it says otherwise. */
  readonly groupVersion: string;
  readonly verbs: ReadonlySet<ResourceVerb>;
}

/** Releases as `1.19`; absent where nothing was said. */
export interface Lifecycle {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** `discovery.k8s.io/v1 EndpointSlice`. */
  readonly replacement?: string;
}

/** A group with its served versions, preferred first. */
export interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

/** `v1`, `apps/v1`. */
export function groupVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The reverse of `groupVersionOf`. */
export function parseGroupVersion(text: string): GroupVersion {
  const cut = text.indexOf('/');
  return cut < 0 ? { group: '', version: text } : { group: text.slice(0, cut), version: text.slice(cut + 1) };
}

/** `deployments.apps`, `pods`: a resource as errors name it. */
export function qualifiedName({ group, name }: { readonly group: string; readonly name: string }): string {
  return group === '' ? name : `${name}.${group}`;
}
