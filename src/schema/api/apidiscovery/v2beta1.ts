// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface APIGroupDiscovery {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly versions?: readonly APIVersionDiscovery[];
}

/** APIGroupDiscoveryList is a list of APIGroupDiscovery objects. */
export interface APIGroupDiscoveryList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly APIGroupDiscovery[] | null;
}

export interface APIResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: metav1.GroupVersionKind;
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[] | null;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly APISubresourceDiscovery[];
}

export interface APISubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind?: metav1.GroupVersionKind;
  readonly acceptedTypes?: readonly metav1.GroupVersionKind[];
  readonly verbs: readonly string[] | null;
}

export interface APIVersionDiscovery {
  readonly version: string;
  readonly resources?: readonly APIResourceDiscovery[];
  readonly freshness?: string;
}
