// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** A CSI driver and its features. The object's name is the name of the driver. */
export interface CSIDriver {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CSIDriverSpec;
}

/** Specification of a CSI driver. */
export interface CSIDriverSpec {
  /** Whether volumes must be attached to a node before they are mounted. Immutable. Default: true. */
  readonly attachRequired?: boolean;
  /** Whether the driver gets the pod's name, namespace, UID and service account when it mounts a volume. Default: false. */
  readonly podInfoOnMount?: boolean;
  /** Kinds of volumes: Persistent for persistent volumes, Ephemeral for volumes of pods. Immutable. Default: Persistent. */
  readonly volumeLifecycleModes?: readonly string[];
  /** Whether the scheduler considers the capacities that the driver reports as CSIStorageCapacity. Default: false. */
  readonly storageCapacity?: boolean;
  /** When ownership of a volume is changed to the pod's fsGroup: ReadWriteOnceWithFSType, File for always, or None. Default: ReadWriteOnceWithFSType. */
  readonly fsGroupPolicy?: string;
  /** Service account tokens of the pod that the driver gets when it mounts a volume. Audiences must be unique. */
  readonly tokenRequests?: readonly TokenRequest[];
  /** Whether the driver is called again regularly for mounted volumes, for instance with new tokens. Default: false. */
  readonly requiresRepublish?: boolean;
  /** Whether the driver supports mounting with an SELinux context. Default: false. */
  readonly seLinuxMount?: boolean;
  /** Seconds between updates of the number of volumes that a node can use, at least 10. Default: no regular updates. */
  readonly nodeAllocatableUpdatePeriodSeconds?: number;
}

/** The CSI drivers on a node. The object's name is the name of the node. */
export interface CSINode {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CSINodeSpec;
}

/** CSINodeDriver is a CSI driver on a node. */
export interface CSINodeDriver {
  /** Name of the CSI driver, as its GetPluginName returns it. */
  readonly name: string;
  /** Name of the node from the driver's point of view. */
  readonly nodeID: string;
  /** Labels of the node that the driver uses for topology. */
  readonly topologyKeys: readonly string[] | null;
  /** Volumes that the node can use. */
  readonly allocatable?: VolumeNodeResources;
}

/** Specification of the CSI drivers on a node. */
export interface CSINodeSpec {
  /** The drivers. Can be empty. */
  readonly drivers: readonly CSINodeDriver[] | null;
}

/** Available storage of a storage class in a part of the cluster, reported by a CSI driver for the scheduler. */
export interface CSIStorageCapacity {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Nodes that can access the storage. Not set: none; empty: all. Immutable. */
  readonly nodeTopology?: metav1.LabelSelector;
  /** Name of the storage class. Immutable. */
  readonly storageClassName: string;
  /** Available storage. Not set: unknown. */
  readonly capacity?: string;
  /** Largest size of a single volume. Not set: unknown. */
  readonly maximumVolumeSize?: string;
}

/** A class of storage, and how its volumes are provisioned. The annotation storageclass.kubernetes.io/is-default-class marks the default class. */
export interface StorageClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Name of the provisioner, most often of a CSI driver. kubernetes.io/no-provisioner for none. Immutable. */
  readonly provisioner: string;
  /** Parameters for the provisioner, at most 512. Immutable. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What happens to a provisioned volume when its claim is deleted: Delete or Retain. Default: Delete. */
  readonly reclaimPolicy?: string;
  /** Options with which the volumes are mounted, such as noatime. They are not checked. */
  readonly mountOptions?: readonly string[];
  /** Whether claims can be expanded. Default: false. */
  readonly allowVolumeExpansion?: boolean;
  /** When volumes are provisioned and bound: Immediate, or WaitForFirstConsumer when a pod uses the claim, on its node. Default: Immediate. */
  readonly volumeBindingMode?: string;
  /** Parts of the cluster in which volumes are provisioned. Default: anywhere. */
  readonly allowedTopologies?: readonly corev1.TopologySelectorTerm[];
}

/** TokenRequest requests a token of the pod's service account. */
export interface TokenRequest {
  /** Audience of the token. Empty for the API server. */
  readonly audience: string;
  /** Lifetime of the token in seconds, at least 600. Default: 3600. */
  readonly expirationSeconds?: number;
}

/** A request to attach a volume to a node, or detach it. Created by the controller. */
export interface VolumeAttachment {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: VolumeAttachmentSpec;
  readonly status: VolumeAttachmentStatus;
}

/** VolumeAttachmentSource is the volume of an attachment. Exactly one field must be set. */
export interface VolumeAttachmentSource {
  /** Name of a persistent volume. */
  readonly persistentVolumeName?: string;
  /** Specification of a volume of a pod, translated for its CSI driver. */
  readonly inlineVolumeSpec?: corev1.PersistentVolumeSpec;
}

/** Specification of an attachment. Immutable. */
export interface VolumeAttachmentSpec {
  /** CSI driver that attaches the volume. */
  readonly attacher: string;
  /** The volume to attach: the name of a persistent volume, or an inline one. */
  readonly source: VolumeAttachmentSource;
  /** Name of the node to which the volume should be attached. */
  readonly nodeName: string;
}

/** Observed state of an attachment, written by the driver. */
export interface VolumeAttachmentStatus {
  /** Whether the volume is attached. */
  readonly attached: boolean;
  /** Information of the driver that mounting on the node needs. */
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  /** Last error of attaching, if any. */
  readonly attachError?: VolumeError;
  /** Last error of detaching, if any. */
  readonly detachError?: VolumeError;
}

/** A class of parameters that can be changed while a volume is used, such as its throughput. */
export interface VolumeAttributesClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Name of the CSI driver. Immutable. */
  readonly driverName: string;
  /** Parameters for the driver, from 1 to 512. Immutable. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** VolumeError is an error of attaching or detaching. */
export interface VolumeError {
  /** Time at which the error occurred. */
  readonly time: string | null;
  /** Human-readable details of the error. Must not contain confidential data. */
  readonly message?: string;
  /** Code of the error, as gRPC defines it. */
  readonly errorCode?: number;
}

/** VolumeNodeResources limits the volumes on a node. */
export interface VolumeNodeResources {
  /** Maximum number of volumes of the driver on the node. Default: no limit. */
  readonly count?: number;
}
