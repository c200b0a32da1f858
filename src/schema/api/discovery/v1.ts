// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** Endpoint is one destination of the traffic of a service, most often a pod. */
export interface Endpoint {
  /** Addresses of the endpoint. Clients may use any; usually there is one. */
  readonly addresses: readonly string[] | null;
  /** Whether the endpoint is ready, serving or terminating. */
  readonly conditions: EndpointConditions;
  /** Host name of the endpoint, for its DNS record. */
  readonly hostname?: string;
  /** Object that the endpoint represents, such as a pod. */
  readonly targetRef?: corev1.ObjectReference;
  /** Deprecated: topology labels of the former version v1beta1. */
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  /** Name of the node on which the endpoint runs, for local traffic policies. */
  readonly nodeName?: string;
  /** Zone in which the endpoint runs, for routes within a zone. */
  readonly zone?: string;
  /** Clients for which the endpoint is intended. */
  readonly hints?: EndpointHints;
}

/** EndpointConditions is the state of an endpoint. */
export interface EndpointConditions {
  /** Whether the endpoint accepts traffic and is not terminating. Not set means true. */
  readonly ready?: boolean;
  /** Whether the endpoint accepts traffic, even while it is terminating. Not set means the value of ready. */
  readonly serving?: boolean;
  /** Whether the endpoint is terminating. Not set means false. */
  readonly terminating?: boolean;
}

/** EndpointHints determines for which clients an endpoint is intended. */
export interface EndpointHints {
  /** Zones of the clients, at most 8. */
  readonly forZones?: readonly ForZone[];
  /** Nodes of the clients, at most 8. */
  readonly forNodes?: readonly ForNode[];
}

/** EndpointPort is a port of endpoints. */
export interface EndpointPort {
  /** Name of the service's port. Empty when the service has one port. */
  readonly name?: string;
  /** Transport protocol: TCP, UDP or SCTP. Default: TCP. */
  readonly protocol?: string;
  /** Number of the port. Not set means all ports. */
  readonly port?: number;
  /** Application protocol of the port, such as https. */
  readonly appProtocol?: string;
}

/** A part of the endpoints of a service. A service can have several slices. */
export interface EndpointSlice {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Type of the addresses: IPv4, IPv6 or FQDN (deprecated). Immutable. */
  readonly addressType: string;
  /** The endpoints, at most 1000. */
  readonly endpoints: readonly Endpoint[] | null;
  /** Ports of every endpoint, at most 100. Names must be unique. */
  readonly ports: readonly EndpointPort[] | null;
}

/** ForNode is a node whose clients should use the endpoint. */
export interface ForNode {
  /** Name of the node whose traffic should go to the endpoint. */
  readonly name: string;
}

/** ForZone is a zone whose clients should use the endpoint. */
export interface ForZone {
  /** Name of the zone whose traffic should go to the endpoint. */
  readonly name: string;
}
