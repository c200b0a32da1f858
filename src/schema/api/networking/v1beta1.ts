// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** An address that is allocated to an object. Its name is the address in canonical form. */
export interface IPAddress {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: IPAddressSpec;
}

/** Specification of an allocated address. */
export interface IPAddressSpec {
  /** Object that the address is allocated to, most often a service. */
  readonly parentRef?: ParentReference;
}

/** ParentReference identifies the object that an address is allocated to. */
export interface ParentReference {
  /** API group of the object. Empty for the core group. */
  readonly group?: string;
  /** Resource of the object, such as services. */
  readonly resource?: string;
  /** Namespace of the object. Empty for cluster-scoped objects. */
  readonly namespace?: string;
  /** Name of the object that the address belongs to. */
  readonly name?: string;
}

/** A range of addresses from which services get their cluster IPs. */
export interface ServiceCIDR {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ServiceCIDRSpec;
  readonly status: ServiceCIDRStatus;
}

/** Specification of a range of addresses. */
export interface ServiceCIDRSpec {
  /** Networks in CIDR notation, at most one for IPv4 and one for IPv6. Immutable, but a second address family can be added. */
  readonly cidrs?: readonly string[];
}

/** Observed state of a range of addresses. */
export interface ServiceCIDRStatus {
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly metav1.Condition[];
}
