// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** AllocatedDeviceStatus is the state of an allocated device, written by its driver. */
export interface AllocatedDeviceStatus {
  /** Name of the driver that manages the device. */
  readonly driver: string;
  /** Name of the pool of the device. */
  readonly pool: string;
  /** Name of the device, unique in its pool. */
  readonly device: string;
  /** ID of the share, for devices that several claims use. */
  readonly shareID?: string;
  /** Conditions of the device, such as Ready. At most 8. */
  readonly conditions: readonly metav1.Condition[] | null;
  /** Data in a format of the driver, at most 10 KiB. */
  readonly data?: JsonObject;
  /** Network interface of the device, for network devices. */
  readonly networkData?: NetworkDeviceData;
}

/** AllocationResult is the allocation of a claim. */
export interface AllocationResult {
  /** The allocated devices, and their configuration. */
  readonly devices: DeviceAllocationResult;
  /** Nodes that can use the devices. Default: all. */
  readonly nodeSelector?: corev1.NodeSelector;
  /** Time at which the devices were allocated. */
  readonly allocationTimestamp?: string;
}

/** BasicDevice holds the attributes and capacities of a device. */
export interface BasicDevice {
  /** Attributes by name, such as model or numa. At most 32 together with capacity. */
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  /** Capacities by name, such as memory. At most 32 together with attributes. */
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  /** Counters that the device consumes when it is allocated. */
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  /** Node that can use the device. Only with perDeviceNodeSelection. */
  readonly nodeName?: string;
  /** Nodes that can use the device, as a single term. Only with perDeviceNodeSelection. */
  readonly nodeSelector?: corev1.NodeSelector;
  /** Whether all nodes can use the device. Only with perDeviceNodeSelection. */
  readonly allNodes?: boolean;
  /** Taints of the device, at most 4. */
  readonly taints?: readonly DeviceTaint[];
  /** Whether an allocation is bound to the node for which it was made. Default: false. */
  readonly bindsToNode?: boolean;
  /** Conditions that must be True before a pod with the device is bound to its node, at most 4. */
  readonly bindingConditions?: readonly string[];
  /** Conditions of which one that is True ends the allocation, at most 4. */
  readonly bindingFailureConditions?: readonly string[];
  /** Whether several claims can use the device, each with a part of its capacity. Default: false. */
  readonly allowMultipleAllocations?: boolean;
}

/** CELDeviceSelector is a condition on a device as a CEL expression. */
export interface CELDeviceSelector {
  /** CEL expression of type bool, with device.driver, device.attributes and device.capacity, such as device.driver == "gpu.example.com". At most 10 KiB. */
  readonly expression: string;
}

/** CapacityRequestPolicy determines how much of a capacity a claim can consume. Only one of validValues and validRange can be set. */
export interface CapacityRequestPolicy {
  /** Amount for requests without one. Required with validValues or validRange. */
  readonly default: string | null;
  /** Allowed amounts in ascending order, at most 10. Requests are rounded up to one of them. */
  readonly validValues?: readonly string[];
  /** Range of allowed amounts. Requests are rounded up into it. */
  readonly validRange?: CapacityRequestPolicyRange;
}

/** CapacityRequestPolicyRange is a range of amounts. */
export interface CapacityRequestPolicyRange {
  /** Smallest amount that can be requested. A smaller request is rounded up to it. */
  readonly min?: string;
  /** Largest amount. Default: the whole capacity. */
  readonly max?: string;
  /** Difference between allowed amounts, starting with min. Default: any. */
  readonly step?: string;
}

/** CapacityRequirements is the amount of capacity that a request consumes. */
export interface CapacityRequirements {
  /** Amount for each capacity of the device. Default: as determined by the request policy of the device. */
  readonly requests?: Readonly<Record<string, string>>;
}

/** Counter is an amount that devices share. */
export interface Counter {
  /** Amount that is available of the counter. */
  readonly value: string;
}

/** CounterSet is a set of counters that devices share. */
export interface CounterSet {
  /** Name of the set, unique in the pool. */
  readonly name: string;
  /** The counters by name. All sets of a slice together have at most 32. */
  readonly counters?: Readonly<Record<string, Counter>>;
}

/** Device is a device with its attributes and capacities. */
export interface Device {
  /** Name of the device, a DNS label, unique in the pool. */
  readonly name: string;
  /** Attributes and capacities of the device. Required. */
  readonly basic?: BasicDevice;
}

/** DeviceAllocationConfiguration is a configuration for allocated devices. */
export interface DeviceAllocationConfiguration {
  /** Where the configuration comes from: FromClass or FromClaim. */
  readonly source: string;
  /** Requests to which the configuration applies. Default: all of the claim. */
  readonly requests?: readonly string[];
  /** Configuration in a format of the driver. Required. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** DeviceAllocationResult lists allocated devices. */
export interface DeviceAllocationResult {
  /** The devices, with the request for which each was allocated. */
  readonly results?: readonly DeviceRequestAllocationResult[];
  /** Configuration from the classes and the claim. Of two for the same device, the later one takes precedence. */
  readonly config?: readonly DeviceAllocationConfiguration[];
}

/** DeviceAttribute is the value of an attribute. Exactly one field must be set. */
export interface DeviceAttribute {
  /** Value of the attribute, if it is a whole number. */
  readonly int?: number;
  /** Value of the attribute, if it is true or false. */
  readonly bool?: boolean;
  /** A text, at most 64 characters. */
  readonly string?: string;
  /** A semantic version, such as 1.2.3, at most 64 characters. */
  readonly version?: string;
}

/** DeviceCapacity is a capacity of a device. */
export interface DeviceCapacity {
  /** The whole capacity of the device, such as 40Gi of memory. */
  readonly value: string;
  /** How much of it a claim consumes, for devices that several claims use. Default: as requested, else all. */
  readonly requestPolicy?: CapacityRequestPolicy;
}

/** DeviceClaim is a request for devices. */
export interface DeviceClaim {
  /** Requests, at most 32. All must be allocated. Names must be unique. */
  readonly requests: readonly DeviceRequest[] | null;
  /** Conditions that devices of several requests must fulfil together. */
  readonly constraints?: readonly DeviceConstraint[];
  /** Configuration for the drivers of the devices. */
  readonly config?: readonly DeviceClaimConfiguration[];
}

/** DeviceClaimConfiguration is a configuration for devices of a claim. */
export interface DeviceClaimConfiguration {
  /** Requests to which the configuration applies. Default: all of the claim. */
  readonly requests?: readonly string[];
  /** Configuration in a format of the driver. Required. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** A class of devices, with selectors and configuration. */
export interface DeviceClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DeviceClassSpec;
}

/** DeviceClassConfiguration is a configuration for devices of a class. */
export interface DeviceClassConfiguration {
  /** Configuration in a format of the driver. Required. */
  readonly opaque?: OpaqueDeviceConfiguration;
}

/** Specification of a class. */
export interface DeviceClassSpec {
  /** Conditions that each device must fulfil, all of them. */
  readonly selectors?: readonly DeviceSelector[];
  /** Configuration for the drivers of the devices. A claim's own configuration takes precedence. */
  readonly config?: readonly DeviceClassConfiguration[];
  /** Extended resource, such as example.com/gpu, for which containers get devices of the class without a claim. */
  readonly extendedResourceName?: string;
}

/** DeviceConstraint is a condition that several devices must fulfil together. Exactly one of matchAttribute and distinctAttribute must be set. */
export interface DeviceConstraint {
  /** Requests to which the condition applies. Default: all of the claim. */
  readonly requests?: readonly string[];
  /** Attribute that must have the same value for all devices, such as gpu.example.com/numa. */
  readonly matchAttribute?: string;
  /** Attribute that must have another value for each device. */
  readonly distinctAttribute?: string;
}

/** DeviceCounterConsumption lists what a device consumes of a set of counters. */
export interface DeviceCounterConsumption {
  /** Name of the counter set of the pool from which the device takes its share. */
  readonly counterSet: string;
  /** Consumed amount of each counter. */
  readonly counters?: Readonly<Record<string, Counter>>;
}

/** DeviceRequest is a request for devices of one class, or for one of several alternatives. Exactly one of deviceClassName and firstAvailable must be set. */
export interface DeviceRequest {
  /** Name of the request, a DNS label. Containers and constraints refer to it. */
  readonly name: string;
  /** Class of the devices. */
  readonly deviceClassName: string;
  /** Conditions that each device must fulfil, all of them. */
  readonly selectors?: readonly DeviceSelector[];
  /** ExactCount for count devices, All for all matching devices of a pool. Default: ExactCount. */
  readonly allocationMode?: string;
  /** Number of devices, for ExactCount. Default: 1. */
  readonly count?: number;
  /** Whether the devices are accessed for administration, even if others use them. Requires a label of the namespace. Default: false. */
  readonly adminAccess?: boolean;
  /** Alternatives, at most 8, in order of preference. The first one that can be allocated is. */
  readonly firstAvailable?: readonly DeviceSubRequest[];
  /** Taints of devices that the request tolerates. */
  readonly tolerations?: readonly DeviceToleration[];
  /** Amount of capacity of each device that the request consumes. */
  readonly capacity?: CapacityRequirements;
}

/** DeviceRequestAllocationResult is an allocated device. */
export interface DeviceRequestAllocationResult {
  /** Name of the request, for an alternative REQUEST/ALTERNATIVE. */
  readonly request: string;
  /** Name of the driver that manages the device. */
  readonly driver: string;
  /** Name of the pool of the device. */
  readonly pool: string;
  /** Name of the device, unique in its pool. */
  readonly device: string;
  /** Whether the device is accessed for administration. */
  readonly adminAccess?: boolean;
  /** Tolerations of the request at the time of the allocation. */
  readonly tolerations?: readonly DeviceToleration[];
  /** Conditions of the device that must be True before the pod is bound to its node. */
  readonly bindingConditions?: readonly string[];
  /** Conditions of the device of which one that is True ends the allocation. */
  readonly bindingFailureConditions?: readonly string[];
  /** ID of the share, for devices that several claims use. */
  readonly shareID?: string;
  /** Consumed amount of each capacity of the device. */
  readonly consumedCapacity?: Readonly<Record<string, string>>;
}

/** DeviceSelector is a condition on a device. */
export interface DeviceSelector {
  /** Condition as a CEL expression. Required. */
  readonly cel?: CELDeviceSelector;
}

/** DeviceSubRequest is an alternative of a request. */
export interface DeviceSubRequest {
  /** Name of the alternative, a DNS label. References use REQUEST/ALTERNATIVE. */
  readonly name: string;
  /** Name of the device class that the devices must belong to. */
  readonly deviceClassName: string;
  /** Conditions that each device must fulfil, all of them. */
  readonly selectors?: readonly DeviceSelector[];
  /** ExactCount for count devices, All for all matching devices of a pool. Default: ExactCount. */
  readonly allocationMode?: string;
  /** Number of devices, for ExactCount. Default: 1. */
  readonly count?: number;
  /** Taints of devices that the request tolerates. */
  readonly tolerations?: readonly DeviceToleration[];
  /** Amount of capacity of each device that the request consumes. */
  readonly capacity?: CapacityRequirements;
}

/** DeviceTaint repels claims that do not tolerate it from a device. */
export interface DeviceTaint {
  /** Key of the taint, such as example.com/unhealthy. */
  readonly key: string;
  /** Value of the taint. May be empty. */
  readonly value?: string;
  /** NoSchedule prevents allocation, NoExecute also evicts pods that use the device. */
  readonly effect: string;
  /** Time at which the taint was added. Default: now. */
  readonly timeAdded?: string;
}

/** DeviceToleration allows devices with matching taints. */
export interface DeviceToleration {
  /** Key of the taints. Empty with the operator Exists: all taints. */
  readonly key?: string;
  /** Equal matches taints with the same value, Exists those with any value. Default: Equal. */
  readonly operator?: string;
  /** Value of the taints. Must be empty for Exists. */
  readonly value?: string;
  /** Effect of the taints: NoSchedule or NoExecute. Default: all. */
  readonly effect?: string;
  /** Seconds that the pod stays after the taint appeared, for the effect NoExecute. Default: forever; 0 or less evicts it immediately. */
  readonly tolerationSeconds?: number;
}

/** NetworkDeviceData describes a network interface. */
export interface NetworkDeviceData {
  /** Name of the interface in the pod, such as net1. */
  readonly interfaceName?: string;
  /** Addresses of the interface with the length of their prefixes, such as 192.0.2.5/24. */
  readonly ips?: readonly string[];
  /** Hardware address of the interface. */
  readonly hardwareAddress?: string;
}

/** OpaqueDeviceConfiguration is a configuration in a format of a driver. */
export interface OpaqueDeviceConfiguration {
  /** Name of the driver. Other drivers ignore it. */
  readonly driver: string;
  /** Object with the configuration, with kind and apiVersion. At most 10 KiB. */
  readonly parameters: JsonObject | null;
}

/** A request for devices, such as GPUs, which pods can use once they are allocated. */
export interface ResourceClaim {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ResourceClaimSpec;
  readonly status: ResourceClaimStatus;
}

/** ResourceClaimConsumerReference identifies a user of a claim, most often a pod, in the same namespace. */
export interface ResourceClaimConsumerReference {
  /** API group of the object; empty for the core group. */
  readonly apiGroup?: string;
  /** Resource of the object, such as pods. */
  readonly resource: string;
  /** Name of the object that uses the claim, usually a pod. */
  readonly name: string;
  /** UID of the object that uses the claim. */
  readonly uid: string;
}

/** Specification of a claim. Immutable. */
export interface ResourceClaimSpec {
  /** The devices to allocate, and what they must have in common. */
  readonly devices: DeviceClaim;
}

/** Observed state of a claim. */
export interface ResourceClaimStatus {
  /** Allocated devices. Not set while none are. */
  readonly allocation?: AllocationResult;
  /** Pods that may use the claim, at most 256. The devices stay allocated while there are any. */
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  /** State of allocated devices, written by their drivers. */
  readonly devices?: readonly AllocatedDeviceStatus[];
}

/** A template of claims, from which a claim is created for each pod. */
export interface ResourceClaimTemplate {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ResourceClaimTemplateSpec;
}

/** Specification of a template. Immutable. */
export interface ResourceClaimTemplateSpec {
  /** Labels and annotations of the claims. */
  readonly metadata: metav1.ObjectMeta;
  /** Specification of the claims. */
  readonly spec: ResourceClaimSpec;
}

/** ResourcePool identifies a pool. */
export interface ResourcePool {
  /** Name of the pool, often the node's. Immutable. */
  readonly name: string;
  /** Number that increases with each change of the pool. Slices with lower numbers are out of date. */
  readonly generation: number;
  /** Number of slices of the pool in this generation. Before all are there, no device of the pool is allocated with All. */
  readonly resourceSliceCount: number;
}

/** A part of the devices of a pool, published by a driver. */
export interface ResourceSlice {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ResourceSliceSpec;
}

/** Specification of a slice. Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection must be set. */
export interface ResourceSliceSpec {
  /** Name of the driver. Immutable. */
  readonly driver: string;
  /** Pool to which the slice belongs. A pool can have several slices. */
  readonly pool: ResourcePool;
  /** Node of the devices. Immutable. */
  readonly nodeName?: string;
  /** Nodes that can use the devices, as a single term. */
  readonly nodeSelector?: corev1.NodeSelector;
  /** Whether all nodes can use the devices. Default: false. */
  readonly allNodes?: boolean;
  /** The devices, at most 128. */
  readonly devices: readonly Device[] | null;
  /** Whether each device determines which nodes can use it. Default: false. */
  readonly perDeviceNodeSelection?: boolean;
  /** Sets of counters that devices of the slice consume, with at most 32 counters in all sets. */
  readonly sharedCounters?: readonly CounterSet[];
}
