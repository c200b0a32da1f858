// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** HTTPIngressPath routes requests for a path. */
export interface HTTPIngressPath {
  /** Path of the requests, with '/' in front. Required for the types Exact and Prefix. */
  readonly path?: string;
  /** How the path matches: Exact; Prefix by elements of the path, so that /a matches /a/b and not /ab; ImplementationSpecific as the controller decides. */
  readonly pathType: string | null;
  /** Service or resource that gets the requests of the path. */
  readonly backend: IngressBackend;
}

/** HTTPIngressRuleValue holds routes by path. */
export interface HTTPIngressRuleValue {
  /** The routes, at least one. */
  readonly paths: readonly HTTPIngressPath[] | null;
}

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

/** IPBlock is a network, with exceptions. */
export interface IPBlock {
  /** Network in CIDR notation, such as 192.168.0.0/16 or 2001:db8::/32. */
  readonly cidr: string;
  /** Networks within cidr that do not belong to it. */
  readonly except?: readonly string[];
}

/** Routes HTTP requests from outside of the cluster to services. */
export interface Ingress {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: IngressSpec;
  readonly status: IngressStatus;
}

/** IngressBackend is a destination of requests. Exactly one field must be set. */
export interface IngressBackend {
  /** The service that gets the requests. Cannot be set together with resource. */
  readonly service?: IngressServiceBackend;
  /** Another object of the namespace, which the controller knows, such as a storage bucket. */
  readonly resource?: corev1.TypedLocalObjectReference;
}

/** A class of ingresses, and the controller that serves it. The annotation ingressclass.kubernetes.io/is-default-class marks the default class. */
export interface IngressClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: IngressClassSpec;
}

/** IngressClassParametersReference identifies the object with settings of an ingress class. */
export interface IngressClassParametersReference {
  /** API group of the kind. Empty for the core group. */
  readonly apiGroup?: string;
  /** Kind of the object with the parameters. */
  readonly kind: string;
  /** Name of the object with the parameters. */
  readonly name: string;
  /** Whether the object is cluster-scoped or belongs to a namespace: Cluster or Namespace. Default: Cluster. */
  readonly scope: string | null;
  /** Namespace of the object. Required for scope Namespace, not allowed for Cluster. */
  readonly namespace?: string;
}

/** Specification of an ingress class. */
export interface IngressClassSpec {
  /** Name of the controller, such as example.com/ingress-controller. Immutable. */
  readonly controller?: string;
  /** Object with further settings for the controller. */
  readonly parameters?: IngressClassParametersReference;
}

/** IngressLoadBalancerIngress is an address of a load balancer. */
export interface IngressLoadBalancerIngress {
  /** IP address, for load balancers that have one. */
  readonly ip?: string;
  /** DNS name, for load balancers that have one. */
  readonly hostname?: string;
  /** State of the ports of the load balancer. */
  readonly ports?: readonly IngressPortStatus[];
}

/** IngressLoadBalancerStatus is the state of a load balancer. */
export interface IngressLoadBalancerStatus {
  /** Addresses at which the load balancer accepts traffic. */
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}

/** IngressPortStatus is the state of a port. */
export interface IngressPortStatus {
  /** Port number on which the ingress listens. */
  readonly port: number;
  /** Transport protocol: TCP, UDP or SCTP. */
  readonly protocol: string;
  /** Machine-readable error of the port, in CamelCase or as example.com/name. Not set without an error. */
  readonly error?: string;
}

/** IngressRule routes requests for a host. */
export interface IngressRule {
  /** Host of the requests, such as www.example.com or *.example.com for one more label. Default: all hosts. */
  readonly host?: string;
  /** Routes by path. Default: all requests go to the default backend. */
  readonly http?: HTTPIngressRuleValue;
}

/** IngressServiceBackend is a service as backend. */
export interface IngressServiceBackend {
  /** Name of the service in the same namespace. */
  readonly name: string;
  /** Port of the service, by its name or its number. */
  readonly port: ServiceBackendPort;
}

/** Specification of an ingress. */
export interface IngressSpec {
  /** Ingress class, which selects the controller. Default: the default class. */
  readonly ingressClassName?: string;
  /** Backend of requests that no rule matches. Required when there are no rules. */
  readonly defaultBackend?: IngressBackend;
  /** Certificates of the hosts. */
  readonly tls?: readonly IngressTLS[];
  /** Routes by host and path. Requests that match none of them go to defaultBackend. */
  readonly rules?: readonly IngressRule[];
}

/** Observed state of an ingress. */
export interface IngressStatus {
  /** Addresses of the ingress. */
  readonly loadBalancer: IngressLoadBalancerStatus;
}

/** IngressTLS holds the certificate of hosts. */
export interface IngressTLS {
  /** Hosts of the certificate. Default: all. */
  readonly hosts?: readonly string[];
  /** Secret of type kubernetes.io/tls with certificate and key. Default: chosen by the controller. */
  readonly secretName?: string;
}

/** Network traffic that is allowed for a set of pods. */
export interface NetworkPolicy {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: NetworkPolicySpec;
}

/** NetworkPolicyEgressRule allows outgoing traffic that matches ports and to. */
export interface NetworkPolicyEgressRule {
  /** Ports of the destinations. Default: all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** Destinations of the traffic; one match is enough. Default: all. */
  readonly to?: readonly NetworkPolicyPeer[];
}

/** NetworkPolicyIngressRule allows incoming traffic that matches ports and from. */
export interface NetworkPolicyIngressRule {
  /** Ports of the pods. Default: all. */
  readonly ports?: readonly NetworkPolicyPort[];
  /** Sources of the traffic; one match is enough. Default: all. */
  readonly from?: readonly NetworkPolicyPeer[];
}

/** NetworkPolicyPeer selects sources or destinations: pods, or a network. */
export interface NetworkPolicyPeer {
  /** Pods, in the namespaces that namespaceSelector selects, by default in that of the policy. An empty selector selects all. */
  readonly podSelector?: metav1.LabelSelector;
  /** Namespaces of the pods. An empty selector selects all. */
  readonly namespaceSelector?: metav1.LabelSelector;
  /** A network. Cannot be combined with the selectors. */
  readonly ipBlock?: IPBlock;
}

/** NetworkPolicyPort selects ports. */
export interface NetworkPolicyPort {
  /** Transport protocol: TCP, UDP or SCTP. Default: TCP. */
  readonly protocol?: string;
  /** Number or name of the port. Default: all. */
  readonly port?: number | string;
  /** Last port of a range that starts with port, which must be a number. */
  readonly endPort?: number;
}

/** Specification of a network policy. Traffic is allowed that any policy of a pod allows; without a policy all traffic is. */
export interface NetworkPolicySpec {
  /** Pods of the namespace to which the policy applies. An empty selector selects all. */
  readonly podSelector: metav1.LabelSelector;
  /** Incoming traffic that is allowed. Empty: none, if policyTypes has Ingress. */
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  /** Outgoing traffic that is allowed. Empty: none, if policyTypes has Egress. */
  readonly egress?: readonly NetworkPolicyEgressRule[];
  /** Directions that the policy limits: Ingress, Egress or both. Default: Ingress, and Egress if there are egress rules. */
  readonly policyTypes?: readonly string[];
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

/** ServiceBackendPort identifies a port of a service. Exactly one field must be set. */
export interface ServiceBackendPort {
  /** Name of the port in the service. Cannot be set together with number. */
  readonly name?: string;
  /** Number of the port in the service, such as 80. Cannot be set together with name. */
  readonly number?: number;
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
