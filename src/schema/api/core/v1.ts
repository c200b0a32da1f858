// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** AWSElasticBlockStoreVolumeSource is a disk of AWS EBS. */
export interface AWSElasticBlockStoreVolumeSource {
  /** ID of the disk, such as vol-0a1b2c3d. */
  readonly volumeID: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Number of the partition to mount. Default: 0, the whole disk. */
  readonly partition?: number;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** Affinity holds scheduling constraints of a pod. */
export interface Affinity {
  /** Nodes that are required or preferred. */
  readonly nodeAffinity?: NodeAffinity;
  /** Pods near which the pod is placed. */
  readonly podAffinity?: PodAffinity;
  /** Pods from which the pod is separated. */
  readonly podAntiAffinity?: PodAntiAffinity;
}

/** AppArmorProfile selects an AppArmor profile. */
export interface AppArmorProfile {
  /** RuntimeDefault for the container runtime's profile, Localhost for a profile loaded on the node, Unconfined for no restriction. */
  readonly type: string;
  /** Name of the profile that is loaded on the node. Required for type Localhost, not allowed otherwise. */
  readonly localhostProfile?: string;
}

/** AttachedVolume is a volume that is attached to a node. */
export interface AttachedVolume {
  /** Name of the volume, with its plugin. */
  readonly name: string;
  /** Path of the device on the node. */
  readonly devicePath: string;
}

/** AzureDiskVolumeSource is a disk of Azure. */
export interface AzureDiskVolumeSource {
  /** Name of the disk in the storage account. */
  readonly diskName: string;
  /** URI of the disk in the storage account. */
  readonly diskURI: string;
  /** Caching of the host: None, ReadOnly or ReadWrite. Default: ReadWrite. */
  readonly cachingMode?: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Kind of the disk: Shared for several blob disks per storage account, Dedicated for one, Managed for a managed disk. Default: Shared. */
  readonly kind?: string;
}

/** AzureFilePersistentVolumeSource is a file share of Azure. */
export interface AzureFilePersistentVolumeSource {
  /** Name of the secret with the name and key of the storage account. */
  readonly secretName: string;
  /** Name of the file share in the storage account. */
  readonly shareName: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Namespace of the secret. Default: that of the claim. */
  readonly secretNamespace: string | null;
}

/** AzureFileVolumeSource is a file share of Azure. */
export interface AzureFileVolumeSource {
  /** Name of the secret with the name and key of the storage account. */
  readonly secretName: string;
  /** Name of the file share in the storage account. */
  readonly shareName: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** Binding assigns a pod to a node. Create it through the subresource binding of the pod. */
export interface Binding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** The node on which the pod should run: kind Node and its name. */
  readonly target: ObjectReference;
}

/** CSIPersistentVolumeSource is a volume of a CSI driver. */
export interface CSIPersistentVolumeSource {
  /** Name of the CSI driver, such as ebs.csi.aws.com. */
  readonly driver: string;
  /** Identifier of the volume, as the driver returned it. Immutable. */
  readonly volumeHandle: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** File system of the volume, such as ext4 or xfs. */
  readonly fsType?: string;
  /** Properties of the volume that are passed to the driver. */
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  /** Secret with credentials for the driver when it attaches and detaches the volume. */
  readonly controllerPublishSecretRef?: SecretReference;
  /** Secret with credentials for the driver when it stages the volume on a node. */
  readonly nodeStageSecretRef?: SecretReference;
  /** Secret with credentials for the driver when it mounts the volume for a pod. */
  readonly nodePublishSecretRef?: SecretReference;
  /** Secret with credentials for the driver when it expands the volume. */
  readonly controllerExpandSecretRef?: SecretReference;
  /** Secret with credentials for the driver when it expands the volume on a node. */
  readonly nodeExpandSecretRef?: SecretReference;
}

/** CSIVolumeSource is a volume of a CSI driver that exists as long as the pod. */
export interface CSIVolumeSource {
  /** Name of the CSI driver, which must support volumes within pods. */
  readonly driver: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** File system of the volume, passed to the driver. Default: chosen by the driver. */
  readonly fsType?: string;
  /** Properties that are passed to the driver. */
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  /** Secret with credentials for the driver when it mounts the volume. */
  readonly nodePublishSecretRef?: LocalObjectReference;
}

/** Capabilities are POSIX capabilities of a container, such as NET_ADMIN. */
export interface Capabilities {
  /** Linux capabilities to add to the runtime's default, such as NET_ADMIN. ALL means every one. */
  readonly add?: readonly string[];
  /** Capabilities to remove. ALL removes all. */
  readonly drop?: readonly string[];
}

/** CephFSPersistentVolumeSource is a Ceph file system. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of the Ceph monitors. */
  readonly monitors: readonly string[] | null;
  /** Path to mount. Default: /. */
  readonly path?: string;
  /** Ceph user. Default: admin. */
  readonly user?: string;
  /** Path of the user's key ring on the node. Default: /etc/ceph/user.secret. */
  readonly secretFile?: string;
  /** Secret with the key of the user, instead of secretFile. */
  readonly secretRef?: SecretReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** CephFSVolumeSource is a Ceph file system. */
export interface CephFSVolumeSource {
  /** Addresses of the Ceph monitors. */
  readonly monitors: readonly string[] | null;
  /** Path to mount. Default: /. */
  readonly path?: string;
  /** Ceph user. Default: admin. */
  readonly user?: string;
  /** Path of the user's key ring on the node. Default: /etc/ceph/user.secret. */
  readonly secretFile?: string;
  /** Secret with the key of the user, instead of secretFile. */
  readonly secretRef?: LocalObjectReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** CinderPersistentVolumeSource is a disk of OpenStack Cinder. */
export interface CinderPersistentVolumeSource {
  /** ID of the volume in Cinder. */
  readonly volumeID: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Secret with the parameters of the connection to OpenStack. */
  readonly secretRef?: SecretReference;
}

/** CinderVolumeSource is a disk of OpenStack Cinder. */
export interface CinderVolumeSource {
  /** ID of the volume in Cinder. */
  readonly volumeID: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Secret with the parameters of the connection to OpenStack. */
  readonly secretRef?: LocalObjectReference;
}

/** ClientIPConfig holds settings of the affinity by client address. */
export interface ClientIPConfig {
  /** Seconds that a client's connections go to the same pod, from 1 to 86400. Default: 10800, 3 hours. */
  readonly timeoutSeconds?: number;
}

/** ClusterTrustBundleProjection adds the certificates of cluster trust bundles to a projected volume. Exactly one of name and signerName must be set. */
export interface ClusterTrustBundleProjection {
  /** Name of one bundle. Cannot be set together with signerName. */
  readonly name?: string;
  /** Signer whose bundles are combined, of those that labelSelector selects. */
  readonly signerName?: string;
  /** Labels of the bundles of the signer. Not set: none; empty: all. */
  readonly labelSelector?: metav1.LabelSelector;
  /** Whether the bundles may be missing. Otherwise the pod does not start without them. Default: false. */
  readonly optional?: boolean;
  /** Path of the file with the certificates, relative to the volume. */
  readonly path: string;
}

/** ComponentCondition is one aspect of the state of a component. */
export interface ComponentCondition {
  /** Type of the condition. The only one is Healthy. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
  /** Error of the health check, if it failed. */
  readonly error?: string;
}

/** State of a component of the control plane. Deprecated. */
export interface ComponentStatus {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly ComponentCondition[];
}

/** Configuration data for containers. */
export interface ConfigMap {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Whether the entries can never change. Once true, it cannot be changed either. Default: false. */
  readonly immutable?: boolean;
  /** Entries as text. Keys consist of letters, digits, '-', '_' and '.'. All entries together must be below 1 MiB. */
  readonly data?: Readonly<Record<string, string>>;
  /** Entries as bytes, in base64. Keys must differ from those of data. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** ConfigMapEnvSource selects a config map whose entries become environment variables. */
export interface ConfigMapEnvSource {
  /** Name of the config map in the same namespace. */
  readonly name?: string;
  /** Whether the container may start without the config map. Default: false. */
  readonly optional?: boolean;
}

/** ConfigMapKeySelector selects an entry of a config map. */
export interface ConfigMapKeySelector {
  /** Name of the config map in the same namespace. */
  readonly name?: string;
  /** Key of the entry in data or binaryData. */
  readonly key: string;
  /** Whether the config map or the entry may be missing. Default: false. */
  readonly optional?: boolean;
}

/** ConfigMapNodeConfigSource refers to a config map with the configuration of a kubelet. Deprecated and without effect. */
export interface ConfigMapNodeConfigSource {
  /** Namespace of the config map. */
  readonly namespace: string;
  /** Name of the config map. */
  readonly name: string;
  /** UID of the config map. Only in the status. */
  readonly uid?: string;
  /** Resource version of the config map. Only in the status. */
  readonly resourceVersion?: string;
  /** Key of the entry with the configuration. */
  readonly kubeletConfigKey: string;
}

/** ConfigMapProjection adds entries of a config map to a projected volume. */
export interface ConfigMapProjection {
  /** Name of the config map in the same namespace. */
  readonly name?: string;
  /** Entries to mount, and the paths of their files. Default: all, with their keys as names. */
  readonly items?: readonly KeyToPath[];
  /** Whether the config map or its entries may be missing. Default: false. */
  readonly optional?: boolean;
}

/** ConfigMapVolumeSource mounts the entries of a config map as files. */
export interface ConfigMapVolumeSource {
  /** Name of the config map in the same namespace. */
  readonly name?: string;
  /** Entries to mount, and the paths of their files. Default: all, with their keys as names. */
  readonly items?: readonly KeyToPath[];
  /** Permission bits of the files, octal in YAML (0644) or decimal. Default: 0644. */
  readonly defaultMode?: number;
  /** Whether the config map or its entries may be missing. Default: false. */
  readonly optional?: boolean;
}

/** A container of a pod. */
export interface Container {
  /** Name of the container, a DNS label, unique in the pod. Immutable. */
  readonly name: string;
  /** The image to run, such as nginx:1.27. Without a tag or digest, the tag latest is used. */
  readonly image?: string;
  /** Entrypoint, instead of the image's. Not run in a shell; $(NAME) stands for an environment variable, $$(NAME) for the text itself. */
  readonly command?: readonly string[];
  /** Arguments of the entrypoint, instead of the image's. $(NAME) stands for an environment variable. */
  readonly args?: readonly string[];
  /** Working directory of the entrypoint. Default: the image's. */
  readonly workingDir?: string;
  /** Ports to expose. Informational: other ports are reachable as well. */
  readonly ports?: readonly ContainerPort[];
  /** Config maps and secrets whose entries become environment variables. Entries of env take precedence, and of two sources the later one. */
  readonly envFrom?: readonly EnvFromSource[];
  /** Environment variables of the container. A later variable of the same name replaces an earlier one, and all replace those of envFrom. */
  readonly env?: readonly EnvVar[];
  /** Resource requests and limits. */
  readonly resources: ResourceRequirements;
  /** Whether the container is restarted when its resources change, for each resource. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** When the container is restarted, instead of the pod's policy. Always makes an init container run beside the other containers; other uses need a feature gate. */
  readonly restartPolicy?: string;
  /** Rules that decide by the exit code whether the container is restarted. The first rule that matches applies, else restartPolicy, which is then required. */
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  /** Where volumes appear in the file system. */
  readonly volumeMounts?: readonly VolumeMount[];
  /** Block devices that the container uses without a file system. */
  readonly volumeDevices?: readonly VolumeDevice[];
  /** Restarts the container when it fails. Default: always succeeds. */
  readonly livenessProbe?: Probe;
  /** The container is removed from service endpoints while the probe fails. Default: always succeeds. */
  readonly readinessProbe?: Probe;
  /** The other probes start when it has succeeded. The container is restarted when it fails. */
  readonly startupProbe?: Probe;
  /** Handlers that run after the start and before the termination. */
  readonly lifecycle?: Lifecycle;
  /** File from which the termination message is read, at most 4096 bytes. Default: /dev/termination-log. */
  readonly terminationMessagePath?: string;
  /** Source of the termination message: File, or FallbackToLogsOnError for the end of the log when the container failed without writing the file. Default: File. */
  readonly terminationMessagePolicy?: string;
  /** When the image is pulled: Always, Never or IfNotPresent. Default: Always for the tag latest, else IfNotPresent. */
  readonly imagePullPolicy?: string;
  /** Security settings of the container. They override those of the pod. */
  readonly securityContext?: SecurityContext;
  /** Whether a buffer for standard input is allocated. Without it, reads return the end of the input. Default: false. */
  readonly stdin?: boolean;
  /** Whether standard input is closed after the first client that attached to it has disconnected. Default: false. */
  readonly stdinOnce?: boolean;
  /** Whether a terminal is allocated for the container. Requires stdin. Default: false. */
  readonly tty?: boolean;
}

/** ContainerExtendedResourceRequest maps an extended resource of a container to a request of a claim. */
export interface ContainerExtendedResourceRequest {
  /** Name of the container that requests the resource. */
  readonly containerName: string;
  /** Name of the extended resource. */
  readonly resourceName: string;
  /** Name of the request in the claim. */
  readonly requestName: string;
}

/** ContainerImage is an image on a node. */
export interface ContainerImage {
  /** Names of the image, with tags and digests. */
  readonly names: readonly string[] | null;
  /** Size of the image in bytes. */
  readonly sizeBytes?: number;
}

/** A port on which a container listens. */
export interface ContainerPort {
  /** A name by which services and probes refer to the port, at most 15 characters, unique in the pod. */
  readonly name?: string;
  /** The same port on the node, 1 to 65535. Most pods need none: it limits where they can be scheduled. */
  readonly hostPort?: number;
  /** The number of the port in the container, 1 to 65535. */
  readonly containerPort: number;
  /** Transport protocol: TCP, UDP or SCTP. Default: TCP. */
  readonly protocol?: string;
  /** Address of the node to which hostPort is bound. Default: all. */
  readonly hostIP?: string;
}

/** ContainerResizePolicy determines how a container takes a change of one resource. */
export interface ContainerResizePolicy {
  /** Resource to which the policy applies: cpu or memory. */
  readonly resourceName: string;
  /** NotRequired changes the resource while the container runs, RestartContainer restarts it. Default: NotRequired. */
  readonly restartPolicy: string;
}

/** ContainerRestartRule decides whether an exited container is restarted. */
export interface ContainerRestartRule {
  /** What happens when the rule matches. The only value is Restart. */
  readonly action?: string;
  /** Exit codes that the rule matches. */
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
}

/** ContainerRestartRuleOnExitCodes matches exit codes. */
export interface ContainerRestartRuleOnExitCodes {
  /** In matches the listed exit codes, NotIn all others. */
  readonly operator?: string;
  /** Exit codes that are compared with that of the container, at most 255 of them. */
  readonly values?: readonly number[];
}

/** ContainerState is a state of a container. At most one field is set; none means waiting. */
export interface ContainerState {
  /** The container is not running yet, for instance because its image is pulled. */
  readonly waiting?: ContainerStateWaiting;
  /** Set while the container runs: since when. */
  readonly running?: ContainerStateRunning;
  /** Set after the container has ended: when, why and with which exit code. */
  readonly terminated?: ContainerStateTerminated;
}

/** ContainerStateRunning describes a running container. */
export interface ContainerStateRunning {
  /** Time of the container's last start. */
  readonly startedAt: string | null;
}

/** ContainerStateTerminated describes a container that has ended. */
export interface ContainerStateTerminated {
  /** Exit code of the container; 0 for success. */
  readonly exitCode: number;
  /** Number of the signal that ended the container, if one did. */
  readonly signal?: number;
  /** Machine-readable reason, such as Completed, Error or OOMKilled. */
  readonly reason?: string;
  /** Termination message of the container. */
  readonly message?: string;
  /** Time at which the container started. */
  readonly startedAt: string | null;
  /** Time at which the container ended. */
  readonly finishedAt: string | null;
  /** ID of the container in the form TYPE://ID. */
  readonly containerID?: string;
}

/** ContainerStateWaiting describes a container that is not running yet. */
export interface ContainerStateWaiting {
  /** Machine-readable reason, such as ContainerCreating, ImagePullBackOff or CrashLoopBackOff. */
  readonly reason?: string;
  /** Human-readable details about the reason. */
  readonly message?: string;
}

/** ContainerStatus is the observed state of a container. */
export interface ContainerStatus {
  /** Name of the container, as in the specification of the pod. */
  readonly name: string;
  /** Current state: waiting, running or terminated. */
  readonly state: ContainerState;
  /** State of the previous run of the container, if it was restarted. */
  readonly lastState: ContainerState;
  /** Whether the container is ready: its readiness probe succeeds, or it has none and has started. */
  readonly ready: boolean;
  /** How often the container was restarted. Old runs that were cleaned up do not count. */
  readonly restartCount: number;
  /** Image that the container runs, as the runtime reports it. */
  readonly image: string;
  /** ID of the image that runs, with its digest. It tells which version a tag meant. */
  readonly imageID: string;
  /** ID of the container in the form TYPE://ID, such as containerd://1f3c0b7d. */
  readonly containerID?: string;
  /** Whether the container has started: its postStart handler has returned and its startup probe succeeded. */
  readonly started?: boolean;
  /** Resources that the node has reserved for the container. May differ from the requests during a change of resources. */
  readonly allocatedResources?: Readonly<Record<string, string>>;
  /** Requests and limits that are in effect for the running container. */
  readonly resources?: ResourceRequirements;
  /** State of the mounts of the container. */
  readonly volumeMounts?: readonly VolumeMountStatus[];
  /** User that the first process of the container ran as. */
  readonly user?: ContainerUser;
  /** Health of the devices that are assigned to the container. */
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
  /** Signal that terminates the container. */
  readonly stopSignal?: string;
}

/** ContainerUser is the user of a container's first process. */
export interface ContainerUser {
  /** User and groups on Linux. */
  readonly linux?: LinuxContainerUser;
}

/** DaemonEndpoint is the port of a daemon. */
export interface DaemonEndpoint {
  /** Number of the TCP port on which the daemon listens. */
  readonly Port: number;
}

/** DownwardAPIProjection adds fields of the pod to a projected volume. */
export interface DownwardAPIProjection {
  /** Files to create, each with one field of the pod or one resource of a container. */
  readonly items?: readonly DownwardAPIVolumeFile[];
}

/** DownwardAPIVolumeFile is a file with a field of the pod. Exactly one of fieldRef and resourceFieldRef must be set. */
export interface DownwardAPIVolumeFile {
  /** Path of the file, relative to the volume. Must not contain '..'. */
  readonly path: string;
  /** A field of the pod: its name, namespace, UID, labels or annotations. */
  readonly fieldRef?: ObjectFieldSelector;
  /** A resource request or limit of a container. */
  readonly resourceFieldRef?: ResourceFieldSelector;
  /** Permission bits of the file, octal in YAML (0644) or decimal. Default: the volume's defaultMode. */
  readonly mode?: number;
}

/** DownwardAPIVolumeSource mounts fields of the pod as files. */
export interface DownwardAPIVolumeSource {
  /** Files to create, each with one field of the pod or one resource of a container. */
  readonly items?: readonly DownwardAPIVolumeFile[];
  /** Permission bits of the files, octal in YAML (0644) or decimal. Default: 0644. */
  readonly defaultMode?: number;
}

/** EmptyDirVolumeSource is an empty directory on the node. */
export interface EmptyDirVolumeSource {
  /** Medium of the directory: empty for the node's disk, Memory for a file system in memory, HugePages for huge pages. Default: empty. */
  readonly medium?: string;
  /** Maximum size. Pods that exceed it are evicted. With medium Memory, memory limits of the containers apply as well. Default: no limit. */
  readonly sizeLimit?: string;
}

/** EndpointAddress is the address of a pod. */
export interface EndpointAddress {
  /** IPv4 or IPv6 address. Loopback, link-local and multicast addresses are not allowed. */
  readonly ip: string;
  /** Host name of the pod, for its DNS record. */
  readonly hostname?: string;
  /** Name of the node on which the endpoint runs. */
  readonly nodeName?: string;
  /** The object that provides the endpoint, usually a pod. */
  readonly targetRef?: ObjectReference;
}

/** EndpointPort is a port of pods. */
export interface EndpointPort {
  /** Name of the service's port. Empty when the service has one port. */
  readonly name?: string;
  /** Port number on the addresses, from 1 to 65535. */
  readonly port: number;
  /** Transport protocol: TCP, UDP or SCTP. Default: TCP. */
  readonly protocol?: string;
  /** Application protocol of the port, such as https. */
  readonly appProtocol?: string;
}

/** EndpointSubset is a set of addresses with the same ports. Every address has every port. */
export interface EndpointSubset {
  /** Addresses of pods that are ready. */
  readonly addresses?: readonly EndpointAddress[];
  /** Addresses of pods that are not ready. */
  readonly notReadyAddresses?: readonly EndpointAddress[];
  /** Ports that are open on each of the addresses. */
  readonly ports?: readonly EndpointPort[];
}

/** Addresses of the pods of a service. Deprecated: use EndpointSlice. */
export interface Endpoints {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Sets of addresses with the same ports. */
  readonly subsets?: readonly EndpointSubset[];
}

/** EnvFromSource makes all entries of a config map or secret environment variables. */
export interface EnvFromSource {
  /** Text in front of the name of each variable. */
  readonly prefix?: string;
  /** The config map whose entries become variables. */
  readonly configMapRef?: ConfigMapEnvSource;
  /** The secret whose entries become variables. */
  readonly secretRef?: SecretEnvSource;
}

/** An environment variable. */
export interface EnvVar {
  /** Name of the variable. Any printable characters except '='. */
  readonly name: string;
  /** Its value; $(NAME) stands for variables defined before, $$(NAME) for the text itself. Default: empty. */
  readonly value?: string;
  /** Where its value comes from. Cannot be combined with value. */
  readonly valueFrom?: EnvVarSource;
}

/** EnvVarSource is the source of a variable's value. Exactly one field must be set. */
export interface EnvVarSource {
  /** A field of the pod: metadata.name, metadata.namespace, a label or annotation, spec.nodeName, spec.serviceAccountName, status.hostIP, status.podIP and a few others. */
  readonly fieldRef?: ObjectFieldSelector;
  /** A resource request or limit of a container. */
  readonly resourceFieldRef?: ResourceFieldSelector;
  /** An entry of a config map in the same namespace. */
  readonly configMapKeyRef?: ConfigMapKeySelector;
  /** An entry of a secret in the same namespace. */
  readonly secretKeyRef?: SecretKeySelector;
  /** A variable in a file that an init container wrote to an emptyDir volume. */
  readonly fileKeyRef?: FileKeySelector;
}

/** A temporary container in a running pod, for debugging. It is never restarted and has no guaranteed resources. */
export interface EphemeralContainer {
  /** Name of the container, a DNS label, unique in the pod. Immutable. */
  readonly name: string;
  /** The image to run, such as nginx:1.27. Without a tag or digest, the tag latest is used. */
  readonly image?: string;
  /** Entrypoint, instead of the image's. Not run in a shell; $(NAME) stands for an environment variable, $$(NAME) for the text itself. */
  readonly command?: readonly string[];
  /** Arguments of the entrypoint, instead of the image's. $(NAME) stands for an environment variable. */
  readonly args?: readonly string[];
  /** Working directory of the entrypoint. Default: the image's. */
  readonly workingDir?: string;
  /** Must not be set: ephemeral containers have no ports. */
  readonly ports?: readonly ContainerPort[];
  /** Config maps and secrets whose entries become environment variables. Entries of env take precedence, and of two sources the later one. */
  readonly envFrom?: readonly EnvFromSource[];
  /** Environment variables of the container. A later variable of the same name replaces an earlier one, and all replace those of envFrom. */
  readonly env?: readonly EnvVar[];
  /** Must not be set: ephemeral containers use spare resources of the pod. */
  readonly resources: ResourceRequirements;
  /** Must not be set for ephemeral containers. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** Must not be set: ephemeral containers are not restarted. */
  readonly restartPolicy?: string;
  /** Must not be set: ephemeral containers are not restarted. */
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  /** Where volumes appear in the file system. */
  readonly volumeMounts?: readonly VolumeMount[];
  /** Block devices that the container uses without a file system. */
  readonly volumeDevices?: readonly VolumeDevice[];
  /** Must not be set: ephemeral containers have no probes. */
  readonly livenessProbe?: Probe;
  /** Must not be set: ephemeral containers have no probes. */
  readonly readinessProbe?: Probe;
  /** Must not be set: ephemeral containers have no probes. */
  readonly startupProbe?: Probe;
  /** Must not be set: ephemeral containers have no handlers. */
  readonly lifecycle?: Lifecycle;
  /** File from which the termination message is read, at most 4096 bytes. Default: /dev/termination-log. */
  readonly terminationMessagePath?: string;
  /** Source of the termination message: File, or FallbackToLogsOnError for the end of the log when the container failed without writing the file. Default: File. */
  readonly terminationMessagePolicy?: string;
  /** When the image is pulled: Always, Never or IfNotPresent. Default: Always for the tag latest, else IfNotPresent. */
  readonly imagePullPolicy?: string;
  /** Security settings of the container. They override those of the pod. */
  readonly securityContext?: SecurityContext;
  /** Whether a buffer for standard input is allocated. Without it, reads return the end of the input. Default: false. */
  readonly stdin?: boolean;
  /** Whether standard input is closed after the first client that attached to it has disconnected. Default: false. */
  readonly stdinOnce?: boolean;
  /** Whether a terminal is allocated for the container. Requires stdin. Default: false. */
  readonly tty?: boolean;
  /** Container whose processes the ephemeral container sees. Default: those of the pod, if they are shared. */
  readonly targetContainerName?: string;
}

/** EphemeralVolumeSource is a volume whose claim is created for the pod and deleted with it. */
export interface EphemeralVolumeSource {
  /** Template of the claim. Its name is POD-VOLUME. */
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** A report of an event about an object. Deleted after an hour by default. */
export interface Event {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Object that the event is about. */
  readonly involvedObject: ObjectReference;
  /** Machine-readable reason, such as FailedScheduling. */
  readonly reason?: string;
  /** Human-readable description of the event. */
  readonly message?: string;
  /** Component that reported the event. New clients use reportingComponent. */
  readonly source: EventSource;
  /** Time at which the event was first reported. */
  readonly firstTimestamp: string | null;
  /** Time at which the event was last reported. */
  readonly lastTimestamp: string | null;
  /** How often the event happened. */
  readonly count?: number;
  /** Normal for information, or Warning for what may need attention. */
  readonly type?: string;
  /** Time of the first occurrence, with microseconds. */
  readonly eventTime: string | null;
  /** Repetitions of the event. Not set for a single one. */
  readonly series?: EventSeries;
  /** What was done with the object, or failed, such as Binding. */
  readonly action?: string;
  /** Further object, for instance the node for an event of a pod. */
  readonly related?: ObjectReference;
  /** Name of the controller that reported the event, such as example.com/controller. */
  readonly reportingComponent: string;
  /** Name of the instance of the controller, such as its pod. */
  readonly reportingInstance: string;
}

/** EventSeries counts repetitions of an event. */
export interface EventSeries {
  /** How often the event happened until lastObservedTime. */
  readonly count?: number;
  /** Time of the last occurrence. */
  readonly lastObservedTime: string | null;
}

/** EventSource is a component that reports events. */
export interface EventSource {
  /** Name of the component that reported the event, such as kubelet. */
  readonly component?: string;
  /** Node on which the component runs. */
  readonly host?: string;
}

/** ExecAction runs a command in a container. */
export interface ExecAction {
  /** The command and its arguments. Not run in a shell; the working directory is the root of the file system. */
  readonly command?: readonly string[];
}

/** FCVolumeSource is a Fibre Channel disk. Either wwids, or targetWWNs and lun must be set. */
export interface FCVolumeSource {
  /** World wide names of the targets. */
  readonly targetWWNs?: readonly string[];
  /** Logical unit number of the disk. */
  readonly lun?: number;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** World wide identifiers of the disk. */
  readonly wwids?: readonly string[];
}

/** FileKeySelector selects a variable in a file of environment variables. */
export interface FileKeySelector {
  /** Name of the emptyDir volume with the file. */
  readonly volumeName: string;
  /** Path of the file in the volume. Relative, without '..'. */
  readonly path: string;
  /** Name of the variable in the file, at most 128 characters. */
  readonly key: string;
  /** Whether the file or the variable may be missing. Default: false. */
  readonly optional?: boolean;
}

/** FlexPersistentVolumeSource is a volume of an exec-based FlexVolume driver. Deprecated: use a CSI driver. */
export interface FlexPersistentVolumeSource {
  /** Name of the Flexvolume driver that is installed on the nodes. */
  readonly driver: string;
  /** File system of the volume, such as ext4. Default: chosen by the driver. */
  readonly fsType?: string;
  /** Secret whose entries are passed to the driver. */
  readonly secretRef?: SecretReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Options that are passed to the driver. */
  readonly options?: Readonly<Record<string, string>>;
}

/** FlexVolumeSource is a volume of an exec-based FlexVolume driver. Deprecated: use a CSI driver. */
export interface FlexVolumeSource {
  /** Name of the Flexvolume driver that is installed on the nodes. */
  readonly driver: string;
  /** File system of the volume, such as ext4. Default: chosen by the driver. */
  readonly fsType?: string;
  /** Secret whose entries are passed to the driver. */
  readonly secretRef?: LocalObjectReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Options that are passed to the driver. */
  readonly options?: Readonly<Record<string, string>>;
}

/** FlockerVolumeSource is a Flocker dataset. One field must be set. */
export interface FlockerVolumeSource {
  /** Name of the dataset. Deprecated. */
  readonly datasetName?: string;
  /** UUID of the dataset. Either this or datasetName is required. */
  readonly datasetUUID?: string;
}

/** GCEPersistentDiskVolumeSource is a disk of Google Compute Engine. */
export interface GCEPersistentDiskVolumeSource {
  /** Name of the persistent disk in Google Cloud. */
  readonly pdName: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Number of the partition to mount. Default: 0, the whole disk. */
  readonly partition?: number;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** GRPCAction calls the gRPC health checking protocol. */
export interface GRPCAction {
  /** Number of the port, 1 to 65535. */
  readonly port: number;
  /** Name of the service in the health check request. Default: empty, the whole server. */
  readonly service: string | null;
}

/** GitRepoVolumeSource is a git repository. Deprecated: clone into an emptyDir volume with an init container. */
export interface GitRepoVolumeSource {
  /** URL of the Git repository to clone. */
  readonly repository: string;
  /** Hash of the commit. Default: the head of the default branch. */
  readonly revision?: string;
  /** Directory of the volume for the files, without '..'. Default: a directory named after the repository. */
  readonly directory?: string;
}

/** GlusterfsPersistentVolumeSource is a GlusterFS volume. */
export interface GlusterfsPersistentVolumeSource {
  /** Name of the Endpoints object with the addresses of the servers. */
  readonly endpoints: string;
  /** Name of the Glusterfs volume. */
  readonly path: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Namespace of the Endpoints object. Default: that of the claim. */
  readonly endpointsNamespace?: string;
}

/** GlusterfsVolumeSource is a GlusterFS volume. */
export interface GlusterfsVolumeSource {
  /** Name of the Endpoints object with the addresses of the servers. */
  readonly endpoints: string;
  /** Name of the Glusterfs volume. */
  readonly path: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** HTTPGetAction sends an HTTP GET request. */
export interface HTTPGetAction {
  /** Path of the request. Default: /. */
  readonly path?: string;
  /** Number or name of the container's port. */
  readonly port: number | string;
  /** Host to connect to. Default: the address of the pod. For a Host header use httpHeaders. */
  readonly host?: string;
  /** Scheme of the connection: HTTP or HTTPS. Certificates are not verified. Default: HTTP. */
  readonly scheme?: string;
  /** Headers of the request. A header may be repeated. */
  readonly httpHeaders?: readonly HTTPHeader[];
}

/** HTTPHeader is a header of a request. */
export interface HTTPHeader {
  /** Name of the header, such as X-Probe. Its case does not matter. */
  readonly name: string;
  /** Value of the header, sent as it is. */
  readonly value: string;
}

/** HostAlias is an entry of the hosts file. */
export interface HostAlias {
  /** IP address of the line in the hosts file. */
  readonly ip: string;
  /** Host names of the address. */
  readonly hostnames?: readonly string[];
}

/** HostIP is an address of a node. */
export interface HostIP {
  /** The IPv4 or IPv6 address. */
  readonly ip: string;
}

/** HostPathVolumeSource is a path of the node. */
export interface HostPathVolumeSource {
  /** The path. Links are followed. */
  readonly path: string;
  /** What must be at the path: empty for no check, Directory, File, Socket, CharDevice, BlockDevice; DirectoryOrCreate and FileOrCreate create what is missing. Default: empty. */
  readonly type?: string;
}

/** ISCSIPersistentVolumeSource is a disk of an iSCSI target. */
export interface ISCSIPersistentVolumeSource {
  /** Address of the target, with a port if it is not 3260. */
  readonly targetPortal: string;
  /** Qualified name of the target. */
  readonly iqn: string;
  /** Logical unit number of the disk. */
  readonly lun: number;
  /** Interface with which the target is reached. Default: default, which is TCP. */
  readonly iscsiInterface?: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Further addresses of the target, for multiple paths. */
  readonly portals?: readonly string[];
  /** Whether discovery authenticates by CHAP. Default: false. */
  readonly chapAuthDiscovery?: boolean;
  /** Whether sessions authenticate by CHAP. Default: false. */
  readonly chapAuthSession?: boolean;
  /** Secret with the CHAP credentials. */
  readonly secretRef?: SecretReference;
  /** Qualified name of the initiator. Default: the node's. */
  readonly initiatorName?: string;
}

/** ISCSIVolumeSource is a disk of an iSCSI target. */
export interface ISCSIVolumeSource {
  /** Address of the target, with a port if it is not 3260. */
  readonly targetPortal: string;
  /** Qualified name of the target. */
  readonly iqn: string;
  /** Logical unit number of the disk. */
  readonly lun: number;
  /** Interface with which the target is reached. Default: default, which is TCP. */
  readonly iscsiInterface?: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Further addresses of the target, for multiple paths. */
  readonly portals?: readonly string[];
  /** Whether discovery authenticates by CHAP. Default: false. */
  readonly chapAuthDiscovery?: boolean;
  /** Whether sessions authenticate by CHAP. Default: false. */
  readonly chapAuthSession?: boolean;
  /** Secret with the CHAP credentials. */
  readonly secretRef?: LocalObjectReference;
  /** Qualified name of the initiator. Default: the node's. */
  readonly initiatorName?: string;
}

/** ImageVolumeSource mounts a container image or artifact. */
export interface ImageVolumeSource {
  /** Name of the image, such as registry.example.com/data:v1. */
  readonly reference?: string;
  /** When the image is pulled: Always, Never or IfNotPresent. Default: Always for the tag latest, else IfNotPresent. */
  readonly pullPolicy?: string;
}

/** KeyToPath maps an entry to a file. */
export interface KeyToPath {
  /** Key of the entry that becomes a file. */
  readonly key: string;
  /** Path of the file, relative to the volume. Must not contain '..'. */
  readonly path: string;
  /** Permission bits of the file, octal in YAML (0644) or decimal. Default: the volume's defaultMode. */
  readonly mode?: number;
}

/** Lifecycle has handlers of a container's start and termination. */
export interface Lifecycle {
  /** Runs immediately after the container was created. If it fails, the container is terminated and restarted by its policy. */
  readonly postStart?: LifecycleHandler;
  /** Runs before the termination signal is sent, also when a probe has failed. The grace period includes its time. Not run when the container exits by itself. */
  readonly preStop?: LifecycleHandler;
  /** Signal that terminates the container, such as SIGTERM or SIGUSR1. Requires spec.os.name. Default: the image's, else SIGTERM. */
  readonly stopSignal?: string;
}

/** LifecycleHandler is an action at a container's start or termination. Exactly one field must be set. */
export interface LifecycleHandler {
  /** Runs a command in the container. */
  readonly exec?: ExecAction;
  /** Sends an HTTP GET request. */
  readonly httpGet?: HTTPGetAction;
  /** Deprecated and without effect: handlers with it fail. */
  readonly tcpSocket?: TCPSocketAction;
  /** Waits for a number of seconds. */
  readonly sleep?: SleepAction;
}

/** Limits and defaults for the pods, containers and claims of a namespace. */
export interface LimitRange {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: LimitRangeSpec;
}

/** LimitRangeItem holds limits for one type of object. */
export interface LimitRangeItem {
  /** Type of the objects: Pod, Container or PersistentVolumeClaim. */
  readonly type: string;
  /** Maximum of each resource. */
  readonly max?: Readonly<Record<string, string>>;
  /** Minimum of each resource. */
  readonly min?: Readonly<Record<string, string>>;
  /** Limit of each resource for containers without one. Only for type Container. */
  readonly default?: Readonly<Record<string, string>>;
  /** Request of each resource for containers without one. Default: the limit. */
  readonly defaultRequest?: Readonly<Record<string, string>>;
  /** Maximum of the limit divided by the request of each resource. Both must then be set and not zero. */
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>;
}

/** Specification of a limit range. */
export interface LimitRangeSpec {
  /** Limits for each type of object. */
  readonly limits: readonly LimitRangeItem[] | null;
}

/** LinuxContainerUser is a user with groups on Linux. */
export interface LinuxContainerUser {
  /** ID of the user of the first process. */
  readonly uid: number;
  /** ID of the primary group of the first process. */
  readonly gid: number;
  /** IDs of the further groups of the first process. */
  readonly supplementalGroups?: readonly number[];
}

/** LoadBalancerIngress is an address of a load balancer. */
export interface LoadBalancerIngress {
  /** IP address, for load balancers that have one. */
  readonly ip?: string;
  /** DNS name, for load balancers that have one. */
  readonly hostname?: string;
  /** How traffic to ip reaches nodes: VIP with the destination unchanged, Proxy with the node's or pod's address as destination. */
  readonly ipMode?: string;
  /** State of the ports of the load balancer. */
  readonly ports?: readonly PortStatus[];
}

/** LoadBalancerStatus is the state of a load balancer. */
export interface LoadBalancerStatus {
  /** Addresses at which the load balancer accepts traffic. */
  readonly ingress?: readonly LoadBalancerIngress[];
}

/** LocalObjectReference identifies an object in the same namespace. */
export interface LocalObjectReference {
  /** Name of the object, in the namespace of the object that refers to it. */
  readonly name?: string;
}

/** LocalVolumeSource is a disk, partition or directory of a node. The volume needs a node affinity. */
export interface LocalVolumeSource {
  /** Path of the directory or block device on the node, such as /mnt/disks/ssd1. */
  readonly path: string;
  /** File system with which a block device is formatted, if it is not formatted yet. Default: chosen by the node. */
  readonly fsType?: string;
}

/** ModifyVolumeStatus is the state of a change of the volume attributes class. */
export interface ModifyVolumeStatus {
  /** Volume attributes class that the volume is changed to. */
  readonly targetVolumeAttributesClassName?: string;
  /** Pending when the class does not exist yet, InProgress, or Infeasible when the driver has refused it. */
  readonly status: string;
}

/** NFSVolumeSource is a directory of an NFS server. */
export interface NFSVolumeSource {
  /** Host name or address of the server. */
  readonly server: string;
  /** Exported path on the server. */
  readonly path: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** A scope for names of objects. Deleting a namespace deletes all objects in it. */
export interface Namespace {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: NamespaceSpec;
  readonly status: NamespaceStatus;
}

/** NamespaceCondition reports what delays the deletion of a namespace. */
export interface NamespaceCondition {
  /** Type of the condition, such as NamespaceContentRemaining or NamespaceFinalizersRemaining. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a namespace. */
export interface NamespaceSpec {
  /** The namespace is removed when this list is empty. The entry that the server adds is removed when no objects are left in the namespace. */
  readonly finalizers?: readonly string[];
}

/** Observed state of a namespace. */
export interface NamespaceStatus {
  /** Active, or Terminating after its deletion was requested. No objects can be created in a terminating namespace. */
  readonly phase?: string;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly NamespaceCondition[];
}

/** A machine that runs pods. */
export interface Node {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: NodeSpec;
  readonly status: NodeStatus;
}

/** NodeAddress is an address of a node. */
export interface NodeAddress {
  /** Type of the address: InternalIP, ExternalIP, Hostname, InternalDNS or ExternalDNS. */
  readonly type: string;
  /** The IP address, or the DNS name, according to the type. */
  readonly address: string;
}

/** NodeAffinity holds rules about the nodes for a pod. */
export interface NodeAffinity {
  /** Nodes on which the pod may be scheduled. A running pod stays when its node changes. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** Nodes that are preferred, with weights. The node with the highest sum of weights is chosen. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
}

/** NodeCondition is one aspect of the state of a node. */
export interface NodeCondition {
  /** Type of the condition, such as Ready or MemoryPressure. */
  readonly type: string;
  /** Whether the condition applies: True, False, or Unknown when the node does not report any more. */
  readonly status: string;
  /** The last time the node reported the condition. */
  readonly lastHeartbeatTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** NodeConfigSource is the source of a node's configuration. Deprecated and without effect. */
export interface NodeConfigSource {
  /** The config map with the configuration of the kubelet. */
  readonly configMap?: ConfigMapNodeConfigSource;
}

/** NodeConfigStatus is the state of the dynamic configuration of a kubelet. Deprecated and not set. */
export interface NodeConfigStatus {
  /** Configuration that the node should use. */
  readonly assigned?: NodeConfigSource;
  /** Configuration that the node uses. */
  readonly active?: NodeConfigSource;
  /** Configuration to which the node returns after an error. */
  readonly lastKnownGood?: NodeConfigSource;
  /** Error of the assigned configuration. */
  readonly error?: string;
}

/** NodeDaemonEndpoints lists the ports of daemons. */
export interface NodeDaemonEndpoints {
  /** Port of the kubelet, through which logs, exec and metrics are served. */
  readonly kubeletEndpoint: DaemonEndpoint;
}

/** NodeFeatures lists features of the container runtime. */
export interface NodeFeatures {
  /** Whether the runtime supports supplementalGroupsPolicy and reports the users of containers. */
  readonly supplementalGroupsPolicy?: boolean;
}

/** NodeRuntimeHandler is a handler of the container runtime. */
export interface NodeRuntimeHandler {
  /** Name of the handler. Empty for the default handler. */
  readonly name: string;
  /** What the handler supports, such as user namespaces. */
  readonly features?: NodeRuntimeHandlerFeatures;
}

/** NodeRuntimeHandlerFeatures lists features of a handler. */
export interface NodeRuntimeHandlerFeatures {
  /** Whether the handler supports recursiveReadOnly of volume mounts. */
  readonly recursiveReadOnlyMounts?: boolean;
  /** Whether the handler supports hostUsers: false. */
  readonly userNamespaces?: boolean;
}

/** NodeSelector selects nodes. A node is selected when any of the terms matches. */
export interface NodeSelector {
  /** Terms of which a node must match one; at least one. An empty term matches no node. */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[] | null;
}

/** NodeSelectorRequirement is a condition on a label or field of a node. */
export interface NodeSelectorRequirement {
  /** Key of the label, or path of the field. */
  readonly key: string;
  /** Relation of the label to the values: In, NotIn, Exists, DoesNotExist, Gt or Lt. */
  readonly operator: string;
  /** Values: at least one for In and NotIn, none for Exists and DoesNotExist, a single integer for Gt and Lt. */
  readonly values?: readonly string[];
}

/** NodeSelectorTerm selects nodes. All requirements must match; a term without requirements matches no node. */
export interface NodeSelectorTerm {
  /** Requirements on labels of the node. */
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  /** Requirements on fields of the node. The only field is metadata.name. */
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** Specification of a node. */
export interface NodeSpec {
  /** IP range of the pods on the node. */
  readonly podCIDR?: string;
  /** All IP ranges of the pods on the node, at most one for IPv4 and one for IPv6. The first is the same as podCIDR. */
  readonly podCIDRs?: readonly string[];
  /** ID of the machine in the form PROVIDER://ID, set by the cloud provider. */
  readonly providerID?: string;
  /** No new pods are scheduled to the node. Default: false. */
  readonly unschedulable?: boolean;
  /** Taints repel pods that do not tolerate them. */
  readonly taints?: readonly Taint[];
  /** Deprecated and without effect: dynamic configuration of the kubelet was removed. */
  readonly configSource?: NodeConfigSource;
  /** Deprecated and not used. */
  readonly externalID?: string;
}

/** Observed state of a node, written by its kubelet. */
export interface NodeStatus {
  /** Total resources of the node. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** Resources that are available to pods. Default: capacity. */
  readonly allocatable?: Readonly<Record<string, string>>;
  /** Deprecated and not set: Pending, Running or Terminated. See conditions. */
  readonly phase?: string;
  /** Conditions of the node: Ready, MemoryPressure, DiskPressure, PIDPressure and NetworkUnavailable. */
  readonly conditions?: readonly NodeCondition[];
  /** Addresses at which the node can be reached: its host name, and internal and external IPs. */
  readonly addresses?: readonly NodeAddress[];
  /** Ports of the daemons of the node. */
  readonly daemonEndpoints: NodeDaemonEndpoints;
  /** Versions of the node's software. */
  readonly nodeInfo: NodeSystemInfo;
  /** Container images on the node, the largest first. */
  readonly images?: readonly ContainerImage[];
  /** Attachable volumes that pods on the node use or have mounted. */
  readonly volumesInUse?: readonly string[];
  /** Volumes that are attached to the node. */
  readonly volumesAttached?: readonly AttachedVolume[];
  /** Deprecated and not set: state of the dynamic configuration. */
  readonly config?: NodeConfigStatus;
  /** Handlers of the container runtime, which runtime classes select. */
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  /** Features of the container runtime. */
  readonly features?: NodeFeatures;
}

/** NodeSwapStatus describes swap memory. */
export interface NodeSwapStatus {
  /** Total swap memory in bytes. */
  readonly capacity?: number;
}

/** NodeSystemInfo identifies a machine and its software. */
export interface NodeSystemInfo {
  /** ID of the machine, from /etc/machine-id. */
  readonly machineID: string;
  /** UUID of the machine's hardware. */
  readonly systemUUID: string;
  /** ID of the current boot. Changes with every start of the machine. */
  readonly bootID: string;
  /** Version of the kernel, such as 6.8.0-40-generic. */
  readonly kernelVersion: string;
  /** Name and version of the operating system. */
  readonly osImage: string;
  /** Container runtime and its version, such as containerd://2.0.0. */
  readonly containerRuntimeVersion: string;
  /** Version of the kubelet, such as v1.34.0. */
  readonly kubeletVersion: string;
  /** Deprecated and empty: version of kube-proxy. */
  readonly kubeProxyVersion: string;
  /** Operating system: linux or windows. */
  readonly operatingSystem: string;
  /** Architecture of the processor, such as amd64 or arm64. */
  readonly architecture: string;
  /** Swap memory of the machine. */
  readonly swap?: NodeSwapStatus;
}

/** ObjectFieldSelector selects a field of the pod. */
export interface ObjectFieldSelector {
  /** Version of the pod in which the path is written. Default: v1. */
  readonly apiVersion?: string;
  /** Path of the field, such as metadata.name or metadata.labels['app']. */
  readonly fieldPath: string;
}

/** ObjectReference identifies an object of any kind. */
export interface ObjectReference {
  /** Kind of the object, such as Pod. */
  readonly kind?: string;
  /** Namespace of the object. Empty for cluster-scoped objects. */
  readonly namespace?: string;
  /** Name of the object, unique in its namespace. */
  readonly name?: string;
  /** UID of the object, which tells it from others that had the same name. */
  readonly uid?: string;
  /** Group and version of the object, such as apps/v1. */
  readonly apiVersion?: string;
  /** Resource version to which the reference was made. */
  readonly resourceVersion?: string;
  /** Part of the object, such as spec.containers{web}. */
  readonly fieldPath?: string;
}

/** Storage in the cluster, provisioned by an administrator or by a storage class. */
export interface PersistentVolume {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PersistentVolumeSpec;
  readonly status: PersistentVolumeStatus;
}

/** A request for storage, bound to a volume. */
export interface PersistentVolumeClaim {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
  readonly status: PersistentVolumeClaimStatus;
}

/** PersistentVolumeClaimCondition is one aspect of the state of a claim. */
export interface PersistentVolumeClaimCondition {
  /** Type of the condition: Resizing, FileSystemResizePending, ControllerResizeError, NodeResizeError, ModifyingVolume or ModifyVolumeError. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition was checked. */
  readonly lastProbeTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a claim. Most fields are immutable. */
export interface PersistentVolumeClaimSpec {
  /** How the volume is mounted: ReadWriteOnce by one node, ReadOnlyMany and ReadWriteMany by many nodes, ReadWriteOncePod by one pod. */
  readonly accessModes?: readonly string[];
  /** Labels of the volumes that may be bound. Prevents dynamic provisioning. */
  readonly selector?: metav1.LabelSelector;
  /** Minimum size of the volume. Can be increased if the storage class allows it. */
  readonly resources: VolumeResourceRequirements;
  /** The volume that the claim is bound to. Set when the claim is bound. */
  readonly volumeName?: string;
  /** Storage class that provisions the volume. Empty text: volumes without a class. Default: the default storage class. */
  readonly storageClassName?: string;
  /** Filesystem or Block. Default: Filesystem. */
  readonly volumeMode?: string;
  /** Volume snapshot or claim of the same namespace whose data the new volume contains. Same as dataSourceRef for these kinds. */
  readonly dataSource?: TypedLocalObjectReference;
  /** Object whose data the new volume contains, such as a volume snapshot, a claim, or any custom kind with a volume populator. */
  readonly dataSourceRef?: TypedObjectReference;
  /** Volume attributes class with parameters of the volume. Can be changed later, if the driver supports it. */
  readonly volumeAttributesClassName?: string;
}

/** Observed state of a claim. */
export interface PersistentVolumeClaimStatus {
  /** Phase of the claim: Pending, Bound, or Lost when its volume does not exist any more. */
  readonly phase?: string;
  /** How the bound volume can be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod. */
  readonly accessModes?: readonly string[];
  /** Size of the bound volume. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** Conditions of the claim, such as Resizing and FileSystemResizePending. */
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  /** Size that the volume is being expanded to, while larger than capacity. Quotas count the larger one. */
  readonly allocatedResources?: Readonly<Record<string, string>>;
  /** State of the expansion by resource, such as ControllerResizeInProgress or NodeResizePending. */
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
  /** Volume attributes class that is in effect. */
  readonly currentVolumeAttributesClassName?: string;
  /** State of a change of the volume attributes class. Not set when none is under way. */
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
}

/** PersistentVolumeClaimTemplate is a template of claims. */
export interface PersistentVolumeClaimTemplate {
  /** Labels and annotations of the claim. No other fields are allowed. */
  readonly metadata: metav1.ObjectMeta;
  /** Specification of the claim. */
  readonly spec: PersistentVolumeClaimSpec;
}

/** PersistentVolumeClaimVolumeSource mounts the volume of a claim. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim in the same namespace. */
  readonly claimName: string;
  /** Whether the volume is attached read-only, for all mounts. Default: false. */
  readonly readOnly?: boolean;
}

/** Specification of a persistent volume: exactly one source, and how it can be used. */
export interface PersistentVolumeSpec {
  /** Resources of the volume. The only one is storage, its size. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** A disk of Google Compute Engine. Deprecated: its CSI driver pd.csi.storage.gke.io is used instead. */
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of AWS EBS. Deprecated: its CSI driver ebs.csi.aws.com is used instead. */
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A directory of the node, for tests on a single node. Use local instead. */
  readonly hostPath?: HostPathVolumeSource;
  /** A GlusterFS volume. Deprecated and no longer supported. */
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  /** A directory of an NFS server. */
  readonly nfs?: NFSVolumeSource;
  /** A Ceph block device. Deprecated and no longer supported. */
  readonly rbd?: RBDPersistentVolumeSource;
  /** A disk of an iSCSI target. */
  readonly iscsi?: ISCSIPersistentVolumeSource;
  /** A disk of OpenStack Cinder. Deprecated: its CSI driver cinder.csi.openstack.org is used instead. */
  readonly cinder?: CinderPersistentVolumeSource;
  /** A Ceph file system. Deprecated and no longer supported. */
  readonly cephfs?: CephFSPersistentVolumeSource;
  /** A Fibre Channel disk that is attached to the node. */
  readonly fc?: FCVolumeSource;
  /** A Flocker volume. Deprecated and no longer supported. */
  readonly flocker?: FlockerVolumeSource;
  /** A volume of an exec-based FlexVolume driver. Deprecated: use a CSI driver. */
  readonly flexVolume?: FlexPersistentVolumeSource;
  /** A file share of Azure. Deprecated: its CSI driver file.csi.azure.com is used instead. */
  readonly azureFile?: AzureFilePersistentVolumeSource;
  /** A disk of vSphere. Deprecated: its CSI driver csi.vsphere.vmware.com is used instead. */
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. Deprecated and no longer supported. */
  readonly quobyte?: QuobyteVolumeSource;
  /** A disk of Azure. Deprecated: its CSI driver disk.csi.azure.com is used instead. */
  readonly azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. Deprecated and no longer supported. */
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** A Portworx volume. Deprecated: its CSI driver pxd.portworx.com is used instead. */
  readonly portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. Deprecated and no longer supported. */
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  /** A disk, partition or directory of a node. */
  readonly local?: LocalVolumeSource;
  /** A StorageOS volume. Deprecated and no longer supported. */
  readonly storageos?: StorageOSPersistentVolumeSource;
  /** A volume of a CSI driver. */
  readonly csi?: CSIPersistentVolumeSource;
  /** How the volume can be mounted: ReadWriteOnce by one node, ReadOnlyMany and ReadWriteMany by many nodes, ReadWriteOncePod by one pod. */
  readonly accessModes?: readonly string[];
  /** Claim that the volume is bound to. Set when the volume is bound, or before to reserve the volume. */
  readonly claimRef?: ObjectReference;
  /** What happens when the claim is deleted: Retain, Delete, or Recycle (deprecated). Default: Retain, for provisioned volumes that of the class. */
  readonly persistentVolumeReclaimPolicy?: string;
  /** Storage class of the volume. Only claims of the same class can be bound to it. Default: empty, none. */
  readonly storageClassName?: string;
  /** Options with which the volume is mounted, such as noatime. They are not checked. */
  readonly mountOptions?: readonly string[];
  /** Filesystem, or Block for a device without a file system. Default: Filesystem. */
  readonly volumeMode?: string;
  /** Nodes that can access the volume. Pods with the volume are scheduled to them. */
  readonly nodeAffinity?: VolumeNodeAffinity;
  /** Volume attributes class of the volume, set from the claim. */
  readonly volumeAttributesClassName?: string;
}

/** Observed state of a persistent volume. */
export interface PersistentVolumeStatus {
  /** Phase of the volume: Pending, Available, Bound, Released after its claim was deleted, or Failed. */
  readonly phase?: string;
  /** Human-readable details about the phase. */
  readonly message?: string;
  /** Machine-readable reason of a failure. */
  readonly reason?: string;
  /** Time at which the volume entered its phase. */
  readonly lastPhaseTransitionTime?: string;
}

/** PhotonPersistentDiskVolumeSource is a Photon disk. */
export interface PhotonPersistentDiskVolumeSource {
  /** ID of the persistent disk in Photon Controller. */
  readonly pdID: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
}

/** Containers that run together on one node, with a common network address and volumes. */
export interface Pod {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

/** PodAffinity holds rules about the pods near which a pod is placed. */
export interface PodAffinity {
  /** Pods near which the pod must be placed; all terms must match. A running pod stays when they change. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  /** Pods near which the pod should be placed, with weights. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

/** PodAffinityTerm selects pods, and what near them means. */
export interface PodAffinityTerm {
  /** Labels of the pods. Without it no pods are selected. */
  readonly labelSelector?: metav1.LabelSelector;
  /** Namespaces of the pods, in addition to those of namespaceSelector. Default without both: the pod's own. */
  readonly namespaces?: readonly string[];
  /** Label of nodes, such as kubernetes.io/hostname or topology.kubernetes.io/zone. Nodes with the same value are near each other. */
  readonly topologyKey: string;
  /** Labels of the namespaces of the pods. An empty selector selects all namespaces. */
  readonly namespaceSelector?: metav1.LabelSelector;
  /** Label keys whose values are taken from the pod itself and must be the same for the selected pods. */
  readonly matchLabelKeys?: readonly string[];
  /** Label keys whose values are taken from the pod itself and must differ for the selected pods. */
  readonly mismatchLabelKeys?: readonly string[];
}

/** PodAntiAffinity holds rules about the pods from which a pod is separated. */
export interface PodAntiAffinity {
  /** Pods near which the pod must not be placed, by any of the terms. A running pod stays when they change. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  /** Pods near which the pod should not be placed, with weights. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

/** PodCertificateProjection adds a private key and a certificate of the pod to a projected volume. They are renewed before the certificate expires. */
export interface PodCertificateProjection {
  /** Signer that issues the certificate. */
  readonly signerName?: string;
  /** Type of the key: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519. */
  readonly keyType?: string;
  /** Maximum lifetime of the certificate in seconds, from 3600 to 7862400. The signer may choose less. Default: 86400. */
  readonly maxExpirationSeconds?: number;
  /** Path of a file with the private key, followed by the certificate chain, relative to the volume. */
  readonly credentialBundlePath?: string;
  /** Path of a file with the private key only, relative to the volume. Prefer credentialBundlePath, which changes atomically. */
  readonly keyPath?: string;
  /** Path of a file with the certificate chain only, relative to the volume. Prefer credentialBundlePath, which changes atomically. */
  readonly certificateChainPath?: string;
}

/** PodCondition is one aspect of the state of a pod. */
export interface PodCondition {
  /** Type of the condition, such as PodScheduled, Initialized, ContainersReady, Ready or DisruptionTarget. */
  readonly type: string;
  /** The metadata.generation of the pod that the condition refers to. */
  readonly observedGeneration?: number;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition was checked. Most often not set. */
  readonly lastProbeTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** PodDNSConfig is added to the DNS settings of dnsPolicy. */
export interface PodDNSConfig {
  /** Addresses of further DNS servers, at most three together with those of dnsPolicy. */
  readonly nameservers?: readonly string[];
  /** Further domains in which short names are looked up, at most 32 in total. */
  readonly searches?: readonly string[];
  /** Further resolver options. An entry replaces the one of the same name. */
  readonly options?: readonly PodDNSConfigOption[];
}

/** PodDNSConfigOption is an option of the resolver. */
export interface PodDNSConfigOption {
  /** Name of the option, such as ndots. */
  readonly name?: string;
  /** Value of the option, if it has one. */
  readonly value?: string;
}

/** PodExtendedResourceClaimStatus names the claim that was created for extended resources. */
export interface PodExtendedResourceClaimStatus {
  /** Which request of the claim provides which resource of which container. */
  readonly requestMappings: readonly ContainerExtendedResourceRequest[] | null;
  /** Name of the created claim in the same namespace. */
  readonly resourceClaimName: string;
}

/** PodIP is an address of a pod. */
export interface PodIP {
  /** The IPv4 or IPv6 address. */
  readonly ip: string;
}

/** PodOS is the operating system of a pod. */
export interface PodOS {
  /** Name of the operating system: linux or windows. */
  readonly name: string;
}

/** PodReadinessGate is an additional condition of readiness. */
export interface PodReadinessGate {
  /** Type of the condition in status.conditions that must be True. A component other than the node sets it. */
  readonly conditionType: string;
}

/** PodResourceClaim makes a device claim available to the containers of the pod. Exactly one of resourceClaimName and resourceClaimTemplateName must be set. */
export interface PodResourceClaim {
  /** Name by which containers refer to the claim, a DNS label, unique in the pod. */
  readonly name: string;
  /** Existing claim in the same namespace. Several pods may share it. */
  readonly resourceClaimName?: string;
  /** Template from which a claim is created for the pod. The claim is deleted with the pod. */
  readonly resourceClaimTemplateName?: string;
}

/** PodResourceClaimStatus names the claim that was created from a template. */
export interface PodResourceClaimStatus {
  /** Name of the entry of spec.resourceClaims. */
  readonly name: string;
  /** Name of the created claim. Not set when no claim was necessary. */
  readonly resourceClaimName?: string;
}

/** PodSchedulingGate delays scheduling until it is removed. */
export interface PodSchedulingGate {
  /** Name of the gate, unique in the pod. The component that removes it recognizes it by the name. */
  readonly name: string;
}

/** PodSecurityContext holds security settings of a pod and of all its containers. Containers can override the fields that they have as well. */
export interface PodSecurityContext {
  /** SELinux context of all containers. Default: a random one for each container. */
  readonly seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows containers. */
  readonly windowsOptions?: WindowsSecurityContextOptions;
  /** User ID of the first process of each container. Default: the image's user. */
  readonly runAsUser?: number;
  /** Primary group ID of the first process of each container. Default: the runtime's. */
  readonly runAsGroup?: number;
  /** Whether containers are refused that would run as user 0. Default: false. */
  readonly runAsNonRoot?: boolean;
  /** Further group IDs of the first process of each container. */
  readonly supplementalGroups?: readonly number[];
  /** Whether groups that the image defines for the user are added to supplementalGroups: Merge, or Strict for not. Default: Merge. */
  readonly supplementalGroupsPolicy?: string;
  /** Group ID that owns the files of volumes that support it. Processes are members of the group. */
  readonly fsGroup?: number;
  /** Kernel parameters of the pod. */
  readonly sysctls?: readonly Sysctl[];
  /** When ownership of a volume is changed to fsGroup: Always, or OnRootMismatch if the volume's root has the wrong owner. Default: Always. */
  readonly fsGroupChangePolicy?: string;
  /** System calls that are allowed to all containers. */
  readonly seccompProfile?: SeccompProfile;
  /** AppArmor profile of all containers. */
  readonly appArmorProfile?: AppArmorProfile;
  /** How volumes get the SELinux label: Recursive relabels all files, MountOption sets it when mounting. Default: MountOption for volumes that support it, else Recursive. */
  readonly seLinuxChangePolicy?: string;
}

/** Specification of the desired behavior of a pod. */
export interface PodSpec {
  /** Storage that containers of the pod may mount. */
  readonly volumes?: readonly Volume[];
  /** Containers that run to completion one after the other before the other containers start. With restartPolicy Always a container runs beside them. */
  readonly initContainers?: readonly Container[];
  /** Containers of the pod. At least one is required. */
  readonly containers: readonly Container[] | null;
  /** Containers added to a running pod for debugging, through the subresource ephemeralcontainers. They cannot be removed. */
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  /** When terminated containers are restarted: Always, OnFailure or Never. Default: Always. */
  readonly restartPolicy?: string;
  /** Seconds that processes have to exit after the termination signal, before they are killed. 0 kills them immediately. Default: 30. */
  readonly terminationGracePeriodSeconds?: number;
  /** Seconds from the start of the pod after which it is terminated and has failed. Default: no limit. */
  readonly activeDeadlineSeconds?: number;
  /** DNS settings of the containers. ClusterFirst: names of the cluster first; ClusterFirstWithHostNet: the same with hostNetwork; Default: those of the node; None: only dnsConfig. Default: ClusterFirst. */
  readonly dnsPolicy?: string;
  /** Labels that the node must have, all of them. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Service account that the pod runs as. Default: the account named default. */
  readonly serviceAccountName?: string;
  /** Deprecated: use serviceAccountName. */
  readonly serviceAccount?: string;
  /** Whether a token of the service account is mounted in the containers. Default: the setting of the account, else true. */
  readonly automountServiceAccountToken?: boolean;
  /** Node that the pod is bound to. Empty until the scheduler has chosen one; setting it bypasses the scheduler. */
  readonly nodeName?: string;
  /** Whether the containers use the network of the node, with its address and ports. Default: false. */
  readonly hostNetwork?: boolean;
  /** Whether the containers see all processes of the node. Default: false. */
  readonly hostPID?: boolean;
  /** Whether the containers share interprocess communication with the node. Default: false. */
  readonly hostIPC?: boolean;
  /** Whether all containers of the pod see the processes of each other. Cannot be combined with hostPID. Default: false. */
  readonly shareProcessNamespace?: boolean;
  /** Security settings of the pod and of all its containers, unless a container overrides them. */
  readonly securityContext?: PodSecurityContext;
  /** Secrets of the namespace with credentials of image registries. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Host name inside the pod, a DNS label. Default: the pod's name. */
  readonly hostname?: string;
  /** Subdomain of the pod: its full name is HOSTNAME.SUBDOMAIN.NAMESPACE.svc.DOMAIN. Usually the name of a headless service. */
  readonly subdomain?: string;
  /** Scheduling constraints: nodes and other pods that are required or preferred. */
  readonly affinity?: Affinity;
  /** Scheduler that chooses the node. Default: default-scheduler. */
  readonly schedulerName?: string;
  /** Taints of nodes that the pod tolerates. A node with other taints may repel the pod. */
  readonly tolerations?: readonly Toleration[];
  /** Additional entries of the hosts file of the containers. */
  readonly hostAliases?: readonly HostAlias[];
  /** Priority class of the pod, which sets its priority. Default: the class marked as global default, else priority 0. */
  readonly priorityClassName?: string;
  /** Priority of the pod; pods with a higher value are scheduled first. Set by the server from priorityClassName. */
  readonly priority?: number;
  /** DNS settings in addition to those of dnsPolicy. */
  readonly dnsConfig?: PodDNSConfig;
  /** Additional conditions that must be true before the pod is ready. */
  readonly readinessGates?: readonly PodReadinessGate[];
  /** Runtime class of the containers, which selects the container runtime's configuration. Default: the runtime's own default. */
  readonly runtimeClassName?: string;
  /** Whether containers get environment variables with the addresses of the services of the namespace. Default: true. */
  readonly enableServiceLinks?: boolean;
  /** Whether the pod may evict pods of lower priority to be scheduled: PreemptLowerPriority or Never. Set by the server from the priority class. Default: PreemptLowerPriority. */
  readonly preemptionPolicy?: string;
  /** Resources that running the pod takes in addition to its containers. Set by the server from the runtime class. */
  readonly overhead?: Readonly<Record<string, string>>;
  /** How pods are spread over zones, nodes or other parts of the cluster. All constraints must be met. */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /** Whether the host name inside the pod is the full domain name instead of its first label. Default: false. */
  readonly setHostnameAsFQDN?: boolean;
  /** Operating system of the containers. Fields of other operating systems must not be set. */
  readonly os?: PodOS;
  /** Whether the containers use the user IDs of the node. With false, root in a container is an unprivileged user on the node. Default: true. */
  readonly hostUsers?: boolean;
  /** The pod is not scheduled before all of these are removed. They can be set only when the pod is created. */
  readonly schedulingGates?: readonly PodSchedulingGate[];
  /** Claims of devices that must be allocated before the pod starts. Containers use them by name in resources.claims. */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** Resource requests and limits of the whole pod. Only cpu, memory and hugepages are allowed. */
  readonly resources?: ResourceRequirements;
  /** Host name of the pod, a DNS subdomain of at most 64 characters, used as it is. Cannot be combined with setHostnameAsFQDN or hostNetwork. */
  readonly hostnameOverride?: string;
}

/** Observed state of a pod, written by its node. */
export interface PodStatus {
  /** The metadata.generation of the pod from which this status was computed. */
  readonly observedGeneration?: number;
  /** Phase of the pod's lifecycle: Pending, Running, Succeeded, Failed or Unknown. */
  readonly phase?: string;
  /** Conditions of the pod: PodScheduled, Initialized, ContainersReady, Ready and others. */
  readonly conditions?: readonly PodCondition[];
  /** Human-readable details about the state of the pod. */
  readonly message?: string;
  /** Machine-readable reason for the state of the pod, such as Evicted. */
  readonly reason?: string;
  /** Node on which lower-priority pods are preempted for the pod. The scheduler may still choose another node. */
  readonly nominatedNodeName?: string;
  /** IP address of the node on which the pod runs. Empty until it is scheduled. */
  readonly hostIP?: string;
  /** All addresses of its node, at most one IPv4 and one IPv6 address. */
  readonly hostIPs?: readonly HostIP[];
  /** The first address of the pod. */
  readonly podIP?: string;
  /** All addresses of the pod, at most one IPv4 and one IPv6 address. */
  readonly podIPs?: readonly PodIP[];
  /** Time at which the kubelet acknowledged the pod, before images were pulled. */
  readonly startTime?: string;
  /** Status of each init container. */
  readonly initContainerStatuses?: readonly ContainerStatus[];
  /** Status of each container. */
  readonly containerStatuses?: readonly ContainerStatus[];
  /** Quality of service class, from requests and limits: BestEffort pods are evicted first under pressure, then Burstable, and Guaranteed pods last. */
  readonly qosClass?: string;
  /** Status of each ephemeral container. */
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  /** Deprecated: see the conditions PodResizePending and PodResizeInProgress. State of a change of resources. */
  readonly resize?: string;
  /** Claims that were created from the templates in spec.resourceClaims. */
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
  /** Claim that was created for extended resources that devices provide. */
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
}

/** A stored template of pods. Controllers contain templates of their own instead. */
export interface PodTemplate {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Metadata and specification of the pods to create. */
  readonly template: PodTemplateSpec;
}

/** Template of the pods that are created. */
export interface PodTemplateSpec {
  /** Labels and annotations of the pods. The labels must match the selector of the controller. */
  readonly metadata: metav1.ObjectMeta;
  /** Specification of the pods. */
  readonly spec: PodSpec;
}

/** PortStatus is the state of a port. */
export interface PortStatus {
  /** Port number of the service to which the status belongs. */
  readonly port: number;
  /** Transport protocol: TCP, UDP or SCTP. */
  readonly protocol: string;
  /** Machine-readable error of the port, in CamelCase or as example.com/name. Not set without an error. */
  readonly error?: string;
}

/** PortworxVolumeSource is a Portworx volume. */
export interface PortworxVolumeSource {
  /** ID of the Portworx volume. */
  readonly volumeID: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** PreferredSchedulingTerm is a preferred set of nodes. */
export interface PreferredSchedulingTerm {
  /** Added to the score of each matching node: 1 to 100. */
  readonly weight: number;
  /** The nodes that are preferred, by labels and fields. */
  readonly preference: NodeSelectorTerm;
}

/** A periodic health check. Exactly one of exec, httpGet, tcpSocket and grpc must be set. */
export interface Probe {
  /** Runs a command in the container. Exit code 0 is success. */
  readonly exec?: ExecAction;
  /** Sends an HTTP GET request. Status codes from 200 to 399 are success. */
  readonly httpGet?: HTTPGetAction;
  /** Succeeds when the port accepts a TCP connection. */
  readonly tcpSocket?: TCPSocketAction;
  /** Sends a gRPC health check request. */
  readonly grpc?: GRPCAction;
  /** Seconds between the start of the container and the first check. Default: 0. */
  readonly initialDelaySeconds?: number;
  /** Seconds after which a check has failed. Default: 1. */
  readonly timeoutSeconds?: number;
  /** Seconds between checks. Default: 10. */
  readonly periodSeconds?: number;
  /** Consecutive successes after which a failed probe succeeds. Must be 1 for liveness and startup probes. Default: 1. */
  readonly successThreshold?: number;
  /** Consecutive failures after which the probe fails. Default: 3. */
  readonly failureThreshold?: number;
  /** Seconds that processes have to exit when the probe has failed, instead of the pod's value. Not allowed for readiness probes. */
  readonly terminationGracePeriodSeconds?: number;
}

/** ProjectedVolumeSource combines several sources in one directory. */
export interface ProjectedVolumeSource {
  /** The sources. Their paths must not overlap. */
  readonly sources: readonly VolumeProjection[] | null;
  /** Permission bits of the files, octal in YAML (0644) or decimal. Default: 0644. */
  readonly defaultMode?: number;
}

/** QuobyteVolumeSource is a Quobyte volume. */
export interface QuobyteVolumeSource {
  /** Addresses of the registry services as HOST:PORT, separated by commas. */
  readonly registry: string;
  /** Name of the Quobyte volume, which must exist. */
  readonly volume: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** User that accesses the volume. Default: the service account's user. */
  readonly user?: string;
  /** Group that accesses the volume. Default: none. */
  readonly group?: string;
  /** Tenant of the volume, for dynamically provisioned ones. */
  readonly tenant?: string;
}

/** RBDPersistentVolumeSource is a Ceph block device. */
export interface RBDPersistentVolumeSource {
  /** Addresses of the Ceph monitors. */
  readonly monitors: readonly string[] | null;
  /** Name of the RADOS image. */
  readonly image: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Pool of the image. Default: rbd. */
  readonly pool?: string;
  /** Ceph user. Default: admin. */
  readonly user?: string;
  /** Path of the user's key ring on the node. Default: /etc/ceph/keyring. */
  readonly keyring?: string;
  /** Secret with the key of the user, instead of keyring. */
  readonly secretRef?: SecretReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** RBDVolumeSource is a Ceph block device. */
export interface RBDVolumeSource {
  /** Addresses of the Ceph monitors. */
  readonly monitors: readonly string[] | null;
  /** Name of the RADOS image. */
  readonly image: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Pool of the image. Default: rbd. */
  readonly pool?: string;
  /** Ceph user. Default: admin. */
  readonly user?: string;
  /** Path of the user's key ring on the node. Default: /etc/ceph/keyring. */
  readonly keyring?: string;
  /** Secret with the key of the user, instead of keyring. */
  readonly secretRef?: LocalObjectReference;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** Runs a number of replicas of a pod. Deployments are its successor. */
export interface ReplicationController {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ReplicationControllerSpec;
  readonly status: ReplicationControllerStatus;
}

/** ReplicationControllerCondition is one aspect of the state of a replication controller. */
export interface ReplicationControllerCondition {
  /** Type of the condition, such as ReplicaFailure. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a replication controller. */
export interface ReplicationControllerSpec {
  /** Desired number of pods. Default: 1. */
  readonly replicas?: number;
  /** Seconds that a new pod must be ready, without a crash of its containers, before it counts as available. Default: 0, available as soon as it is ready. */
  readonly minReadySeconds?: number;
  /** Labels of the pods of the controller. Default: the labels of the template. */
  readonly selector?: Readonly<Record<string, string>>;
  /** Template of the pods. Its labels must match the selector. */
  readonly template?: PodTemplateSpec;
}

/** Observed state of a replication controller. */
export interface ReplicationControllerStatus {
  /** Number of pods that exist and are not being deleted. */
  readonly replicas: number;
  /** Number of pods that have all labels of the template. */
  readonly fullyLabeledReplicas?: number;
  /** Number of pods with a true Ready condition. */
  readonly readyReplicas?: number;
  /** Number of pods that have been ready for minReadySeconds. */
  readonly availableReplicas?: number;
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly ReplicationControllerCondition[];
}

/** ResourceClaim refers to a device claim of the pod. */
export interface ResourceClaim {
  /** Name of an entry of spec.resourceClaims of the pod. */
  readonly name: string;
  /** Name of one request of the claim. Default: the devices of all requests. */
  readonly request?: string;
}

/** ResourceFieldSelector selects a resource request or limit of a container. */
export interface ResourceFieldSelector {
  /** Name of the container. Required in volumes; default for environment variables: the container itself. */
  readonly containerName?: string;
  /** Path of the resource, such as limits.cpu or requests.memory. */
  readonly resource: string;
  /** Unit of the output, such as 1m or 1Mi. The amount is divided by it and rounded up. Default: 1. */
  readonly divisor: string;
}

/** ResourceHealth is the health of a device. */
export interface ResourceHealth {
  /** ID of the device, unique for the resource on the node. */
  readonly resourceID: string;
  /** Healthy, Unhealthy or Unknown. Default: Healthy. */
  readonly health?: string;
}

/** Limits of the total resources of a namespace. */
export interface ResourceQuota {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ResourceQuotaSpec;
  readonly status: ResourceQuotaStatus;
}

/** Specification of a quota. */
export interface ResourceQuotaSpec {
  /** Limit for each resource, such as requests.cpu: 4, pods: 10 or count/deployments.apps: 5. */
  readonly hard?: Readonly<Record<string, string>>;
  /** The quota counts only objects in all of these scopes: Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity, VolumeAttributesClass. Default: all objects. */
  readonly scopes?: readonly string[];
  /** Like scopes, with operators and values. Objects must match both. */
  readonly scopeSelector?: ScopeSelector;
}

/** Observed state of a quota. */
export interface ResourceQuotaStatus {
  /** Limits that are in force. */
  readonly hard?: Readonly<Record<string, string>>;
  /** Current total of each resource in the namespace. */
  readonly used?: Readonly<Record<string, string>>;
}

/** Requests and limits of compute resources. */
export interface ResourceRequirements {
  /** Maximum amount of each resource, such as cpu: 500m, memory: 256Mi. */
  readonly limits?: Readonly<Record<string, string>>;
  /** Minimum amount of each resource, by which the scheduler chooses a node. Default: the limits, else none. */
  readonly requests?: Readonly<Record<string, string>>;
  /** Device claims that the container uses, from spec.resourceClaims of the pod. */
  readonly claims?: readonly ResourceClaim[];
}

/** ResourceStatus is the health of the devices of one resource. */
export interface ResourceStatus {
  /** Name of the resource, for claims in the form claim:CLAIM/REQUEST. */
  readonly name: string;
  /** Health of each device of the resource, by its ID. */
  readonly resources?: readonly ResourceHealth[];
}

/** SELinuxOptions is an SELinux context. */
export interface SELinuxOptions {
  /** User part of the SELinux label, such as system_u. */
  readonly user?: string;
  /** Role part of the SELinux label, such as system_r. */
  readonly role?: string;
  /** Type part of the SELinux label, such as container_t. */
  readonly type?: string;
  /** Level of the context, such as s0:c123,c456. */
  readonly level?: string;
}

/** ScaleIOPersistentVolumeSource is a ScaleIO volume. */
export interface ScaleIOPersistentVolumeSource {
  /** Address of the API gateway. */
  readonly gateway: string;
  /** Name of the storage system. */
  readonly system: string;
  /** Secret with the user and password of the gateway. */
  readonly secretRef: SecretReference | null;
  /** Whether the connection to the gateway is encrypted. Default: false. */
  readonly sslEnabled?: boolean;
  /** Protection domain of the storage. */
  readonly protectionDomain?: string;
  /** Storage pool in the protection domain. */
  readonly storagePool?: string;
  /** Allocation of the storage: ThickProvisioned or ThinProvisioned. Default: ThinProvisioned. */
  readonly storageMode?: string;
  /** Name of an existing volume. */
  readonly volumeName?: string;
  /** File system of the volume, such as ext4 or xfs. Default: xfs. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** ScaleIOVolumeSource is a ScaleIO volume. */
export interface ScaleIOVolumeSource {
  /** Address of the API gateway. */
  readonly gateway: string;
  /** Name of the storage system. */
  readonly system: string;
  /** Secret with the user and password of the gateway. */
  readonly secretRef: LocalObjectReference | null;
  /** Whether the connection to the gateway is encrypted. Default: false. */
  readonly sslEnabled?: boolean;
  /** Protection domain of the storage. */
  readonly protectionDomain?: string;
  /** Storage pool in the protection domain. */
  readonly storagePool?: string;
  /** Allocation of the storage: ThickProvisioned or ThinProvisioned. Default: ThinProvisioned. */
  readonly storageMode?: string;
  /** Name of an existing volume. */
  readonly volumeName?: string;
  /** File system of the volume, such as ext4 or xfs. Default: xfs. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
}

/** ScopeSelector selects the objects that a quota counts. All requirements must match. */
export interface ScopeSelector {
  /** Requirements on scopes, all of which must be met. */
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
}

/** ScopedResourceSelectorRequirement is a condition on a scope. */
export interface ScopedResourceSelectorRequirement {
  /** Name of the scope: Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity or VolumeAttributesClass. */
  readonly scopeName: string;
  /** In, NotIn, Exists or DoesNotExist. Scopes other than PriorityClass and VolumeAttributesClass allow Exists only. */
  readonly operator: string;
  /** Values for In and NotIn, such as names of priority classes. Must be empty for Exists and DoesNotExist. */
  readonly values?: readonly string[];
}

/** SeccompProfile selects a profile of allowed system calls. */
export interface SeccompProfile {
  /** RuntimeDefault for the container runtime's profile, Localhost for a file of the node, Unconfined for no restriction. */
  readonly type: string;
  /** Path of the profile, relative to the seccomp folder of the kubelet. Required for type Localhost, not allowed otherwise. */
  readonly localhostProfile?: string;
}

/** Confidential data, such as passwords and tokens. */
export interface Secret {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Whether the entries can never change. Once true, it cannot be changed either. Default: false. */
  readonly immutable?: boolean;
  /** Entries, in base64. All entries together must be below 1 MiB. */
  readonly data?: Readonly<Record<string, string>>;
  /** Entries as text. Write-only: merged into data, where they replace entries of the same key. */
  readonly stringData?: Readonly<Record<string, string>>;
  /** Purpose of the secret, such as kubernetes.io/tls, with the entries that it requires. Immutable. Default: Opaque, any entries. */
  readonly type?: string;
}

/** SecretEnvSource selects a secret whose entries become environment variables. */
export interface SecretEnvSource {
  /** Name of the secret in the same namespace. */
  readonly name?: string;
  /** Whether the container may start without the secret. Default: false. */
  readonly optional?: boolean;
}

/** SecretKeySelector selects an entry of a secret. */
export interface SecretKeySelector {
  /** Name of the secret in the same namespace. */
  readonly name?: string;
  /** Key of the entry in the data of the secret. */
  readonly key: string;
  /** Whether the secret or the entry may be missing. Default: false. */
  readonly optional?: boolean;
}

/** SecretProjection adds entries of a secret to a projected volume. */
export interface SecretProjection {
  /** Name of the secret in the same namespace. */
  readonly name?: string;
  /** Entries to mount, and the paths of their files. Default: all, with their keys as names. */
  readonly items?: readonly KeyToPath[];
  /** Whether the secret or its entries may be missing. Default: false. */
  readonly optional?: boolean;
}

/** SecretReference identifies a secret. */
export interface SecretReference {
  /** Name of the secret, unique in its namespace. */
  readonly name?: string;
  /** Namespace of the secret. */
  readonly namespace?: string;
}

/** SecretVolumeSource mounts the entries of a secret as files. */
export interface SecretVolumeSource {
  /** Name of the secret in the same namespace. */
  readonly secretName?: string;
  /** Entries to mount, and the paths of their files. Default: all, with their keys as names. */
  readonly items?: readonly KeyToPath[];
  /** Permission bits of the files, octal in YAML (0644) or decimal. Default: 0644. */
  readonly defaultMode?: number;
  /** Whether the secret or its entries may be missing. Default: false. */
  readonly optional?: boolean;
}

/** SecurityContext holds security settings of a container. Where the pod has the same field, the container's takes precedence. */
export interface SecurityContext {
  /** Capabilities to add and drop. Default: those of the container runtime. */
  readonly capabilities?: Capabilities;
  /** Whether processes have all permissions of root on the node. Default: false. */
  readonly privileged?: boolean;
  /** SELinux context of the container. Default: a random one. */
  readonly seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows containers. */
  readonly windowsOptions?: WindowsSecurityContextOptions;
  /** User ID of the container's first process. Default: the image's user. */
  readonly runAsUser?: number;
  /** Primary group ID of the container's first process. Default: the runtime's. */
  readonly runAsGroup?: number;
  /** Whether the container is refused when it would run as user 0. Default: false. */
  readonly runAsNonRoot?: boolean;
  /** Whether the root file system is read-only. Default: false. */
  readonly readOnlyRootFilesystem?: boolean;
  /** Whether a process can gain more privileges than its parent, for instance by setuid programs. Always true for privileged containers. Default: true. */
  readonly allowPrivilegeEscalation?: boolean;
  /** Which parts of /proc are hidden or read-only: Default, or Unmasked for none, which requires hostUsers: false. Default: Default. */
  readonly procMount?: string;
  /** System calls that are allowed. */
  readonly seccompProfile?: SeccompProfile;
  /** AppArmor profile of the container. */
  readonly appArmorProfile?: AppArmorProfile;
}

/** A stable address for a set of pods. */
export interface Service {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ServiceSpec;
  readonly status: ServiceStatus;
}

/** An identity for processes in pods. */
export interface ServiceAccount {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Deprecated. Secrets that pods with the account may use, if the annotation kubernetes.io/enforce-mountable-secrets is true. */
  readonly secrets?: readonly ObjectReference[];
  /** Secrets with credentials of image registries, for pods that set none themselves. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Whether pods with the account get a token mounted, unless they set it themselves. Default: true. */
  readonly automountServiceAccountToken?: boolean;
}

/** ServiceAccountTokenProjection adds a token of the pod's service account to a projected volume. It is renewed before it expires. */
export interface ServiceAccountTokenProjection {
  /** Audience of the token. A recipient must refuse tokens of other audiences. Default: the API server. */
  readonly audience?: string;
  /** Lifetime of the token in seconds, at least 600. Default: 3600. */
  readonly expirationSeconds?: number;
  /** Path of the file, relative to the volume. */
  readonly path: string;
}

/** A port of a service. */
export interface ServicePort {
  /** Name of the port, a DNS label. Required when the service has several ports. */
  readonly name?: string;
  /** Transport protocol: TCP, UDP or SCTP. Default: TCP. */
  readonly protocol?: string;
  /** Application protocol of the port, such as https or kubernetes.io/h2c. A hint for proxies. */
  readonly appProtocol?: string;
  /** Port that the service exposes, 1 to 65535. */
  readonly port: number;
  /** Number or name of the pods' port. Default: the value of port. */
  readonly targetPort: number | string;
  /** Port on every node, for the types NodePort and LoadBalancer. Default: assigned by the server, from 30000 to 32767. */
  readonly nodePort?: number;
}

/** Specification of a service. */
export interface ServiceSpec {
  /** Ports of the service. Required, except for headless services and type ExternalName. */
  readonly ports?: readonly ServicePort[];
  /** Labels of the pods that receive the traffic. Without it the endpoints are managed by others. */
  readonly selector?: Readonly<Record<string, string>>;
  /** IP address in the cluster; None for a headless service, whose DNS name resolves to the pods. Assigned by the server when empty. Immutable unless the type changes. */
  readonly clusterIP?: string;
  /** All IP addresses in the cluster, at most one IPv4 and one IPv6 address. The first is the same as clusterIP. */
  readonly clusterIPs?: readonly string[];
  /** How the service is reached: ClusterIP only in the cluster, NodePort also on a port of every node, LoadBalancer also by a load balancer, ExternalName as a DNS alias. Default: ClusterIP. */
  readonly type?: string;
  /** Additional IP addresses for which nodes accept traffic. The administrator must route them to the nodes. */
  readonly externalIPs?: readonly string[];
  /** With ClientIP all connections of a client go to the same pod, with None to any. Default: None. */
  readonly sessionAffinity?: string;
  /** Deprecated: use annotations of the load balancer's provider. Address that the load balancer should have. */
  readonly loadBalancerIP?: string;
  /** Networks in CIDR notation from which the load balancer accepts traffic. Default: all. */
  readonly loadBalancerSourceRanges?: readonly string[];
  /** DNS name that the service is an alias of, with type ExternalName. */
  readonly externalName?: string;
  /** With Local, external traffic is only routed to pods on the receiving node, and its source address is preserved. Default: Cluster. */
  readonly externalTrafficPolicy?: string;
  /** Port of every node at which load balancers check whether it has pods of the service. Assigned by the server, for type LoadBalancer with externalTrafficPolicy Local. */
  readonly healthCheckNodePort?: number;
  /** Whether pods that are not ready receive traffic, for instance to find peers by a headless service. Default: false. */
  readonly publishNotReadyAddresses?: boolean;
  /** Settings of sessionAffinity. */
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  /** Address families of the service: IPv4, IPv6 or both. Default: those of the cluster, by ipFamilyPolicy. */
  readonly ipFamilies?: readonly string[];
  /** SingleStack for one address family, PreferDualStack for two if the cluster has them, RequireDualStack for two or an error. Default: SingleStack. */
  readonly ipFamilyPolicy?: string;
  /** Whether ports of the nodes are allocated for type LoadBalancer. Some load balancers need none. Default: true. */
  readonly allocateLoadBalancerNodePorts?: boolean;
  /** Load balancer implementation, such as example.com/internal. Immutable once set. Default: that of the cloud provider. */
  readonly loadBalancerClass?: string;
  /** With Local, traffic from pods is only routed to pods on the same node. Default: Cluster. */
  readonly internalTrafficPolicy?: string;
  /** Which pods are preferred: PreferClose, or PreferSameZone, for the client's zone, PreferSameNode for its node. Default: none. */
  readonly trafficDistribution?: string;
}

/** Observed state of a service. */
export interface ServiceStatus {
  /** State of the load balancer. */
  readonly loadBalancer: LoadBalancerStatus;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly metav1.Condition[];
}

/** SessionAffinityConfig holds settings of session affinity. */
export interface SessionAffinityConfig {
  /** Settings of the affinity ClientIP. */
  readonly clientIP?: ClientIPConfig;
}

/** SleepAction waits. */
export interface SleepAction {
  /** Seconds to wait, at most the grace period of the pod. */
  readonly seconds: number;
}

/** StorageOSPersistentVolumeSource is a StorageOS volume. */
export interface StorageOSPersistentVolumeSource {
  /** Name of the volume, unique in its namespace. */
  readonly volumeName?: string;
  /** Namespace of the volume in StorageOS. Default: that of the pod. */
  readonly volumeNamespace?: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Secret with the credentials of the StorageOS API. */
  readonly secretRef?: ObjectReference;
}

/** StorageOSVolumeSource is a StorageOS volume. */
export interface StorageOSVolumeSource {
  /** Name of the volume, unique in its namespace. */
  readonly volumeName?: string;
  /** Namespace of the volume in StorageOS. Default: that of the pod. */
  readonly volumeNamespace?: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Whether the volume is mounted read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Secret with the credentials of the StorageOS API. */
  readonly secretRef?: LocalObjectReference;
}

/** Sysctl is a kernel parameter. */
export interface Sysctl {
  /** Name of the parameter, such as net.ipv4.ip_local_port_range. */
  readonly name: string;
  /** Value of the parameter, as text. */
  readonly value: string;
}

/** TCPSocketAction opens a TCP connection. */
export interface TCPSocketAction {
  /** Number or name of the container's port. */
  readonly port: number | string;
  /** Host to connect to. Default: the address of the pod. */
  readonly host?: string;
}

/** Taint repels pods that do not tolerate it from a node. */
export interface Taint {
  /** Key of the taint, such as node.kubernetes.io/unreachable. */
  readonly key: string;
  /** Value of the taint. May be empty. */
  readonly value?: string;
  /** NoSchedule prevents scheduling, PreferNoSchedule avoids it, NoExecute also evicts running pods. */
  readonly effect: string;
  /** Time at which the taint was added. Pods with tolerationSeconds are evicted that long after it. */
  readonly timeAdded?: string;
}

/** Toleration allows a pod on nodes with matching taints. */
export interface Toleration {
  /** Key of the taints. Empty with the operator Exists: all taints. */
  readonly key?: string;
  /** Equal matches taints with the same value, Exists those with any value. Default: Equal. */
  readonly operator?: string;
  /** Value of the taints. Must be empty for Exists. */
  readonly value?: string;
  /** Effect of the taints: NoSchedule, PreferNoSchedule or NoExecute. Default: all. */
  readonly effect?: string;
  /** Seconds that the pod stays after the taint appeared, for the effect NoExecute. Default: forever; 0 or less evicts it immediately. */
  readonly tolerationSeconds?: number;
}

/** TopologySelectorLabelRequirement is a condition on the value of one label. */
export interface TopologySelectorLabelRequirement {
  /** Key of the label, such as topology.kubernetes.io/zone. */
  readonly key: string;
  /** Allowed values, at least one. */
  readonly values: readonly string[] | null;
}

/** TopologySelectorTerm selects parts of the cluster. All requirements must match. */
export interface TopologySelectorTerm {
  /** Requirements on labels of nodes. */
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
}

/** TopologySpreadConstraint spreads pods evenly over the domains of a topology, such as zones. */
export interface TopologySpreadConstraint {
  /** Maximum difference between the numbers of matching pods of two domains. At least 1. */
  readonly maxSkew: number;
  /** Label of nodes whose values are the domains, such as topology.kubernetes.io/zone. */
  readonly topologyKey: string;
  /** What happens when no node meets the constraint: DoNotSchedule leaves the pod pending, ScheduleAnyway prefers nodes with the least difference. */
  readonly whenUnsatisfiable: string;
  /** Labels of the pods that are counted, in the namespace of the pod. */
  readonly labelSelector?: metav1.LabelSelector;
  /** Minimum number of domains. While there are fewer, a domain without pods is assumed. Only with DoNotSchedule. Default: 1. */
  readonly minDomains?: number;
  /** Whether nodes are counted that the pod's node selector or affinity excludes: Honor excludes them, Ignore counts them. Default: Honor. */
  readonly nodeAffinityPolicy?: string;
  /** Whether nodes are counted whose taints the pod does not tolerate: Honor excludes them, Ignore counts them. Default: Ignore. */
  readonly nodeTaintsPolicy?: string;
  /** Label keys whose values are taken from the pod itself and must be the same for the counted pods, such as pod-template-hash. */
  readonly matchLabelKeys?: readonly string[];
}

/** TypedLocalObjectReference identifies an object of any kind in the same namespace. */
export interface TypedLocalObjectReference {
  /** API group of the kind. Empty for the core group. */
  readonly apiGroup: string | null;
  /** Kind of the object, such as VolumeSnapshot. */
  readonly kind: string;
  /** Name of the object, in the same namespace. */
  readonly name: string;
}

/** TypedObjectReference identifies an object of any kind. */
export interface TypedObjectReference {
  /** API group of the kind. Empty for the core group. */
  readonly apiGroup: string | null;
  /** Kind of the object, such as VolumeSnapshot. */
  readonly kind: string;
  /** Name of the object to use. */
  readonly name: string;
  /** Namespace of the object. Another namespace must allow the reference. Default: the same namespace. */
  readonly namespace?: string;
}

/** Storage of a pod: a name and one source. */
export interface Volume {
  /** Name of the volume, a DNS label, unique in the pod. */
  readonly name: string;
  /** A directory, file or device of the node. Gives containers access to the node: avoid it where possible. */
  readonly hostPath?: HostPathVolumeSource;
  /** An empty directory that exists as long as the pod. */
  readonly emptyDir?: EmptyDirVolumeSource;
  /** A disk of Google Compute Engine. Deprecated: its CSI driver pd.csi.storage.gke.io is used instead. */
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of AWS EBS. Deprecated: its CSI driver ebs.csi.aws.com is used instead. */
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A git repository at a revision. Deprecated: clone into an emptyDir volume with an init container. */
  readonly gitRepo?: GitRepoVolumeSource;
  /** Entries of a secret as files. */
  readonly secret?: SecretVolumeSource;
  /** A directory of an NFS server. */
  readonly nfs?: NFSVolumeSource;
  /** A disk of an iSCSI target. */
  readonly iscsi?: ISCSIVolumeSource;
  /** A GlusterFS volume. Deprecated and no longer supported. */
  readonly glusterfs?: GlusterfsVolumeSource;
  /** Storage whose lifetime is independent of the pod, by a claim in the same namespace. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A Ceph block device. Deprecated and no longer supported. */
  readonly rbd?: RBDVolumeSource;
  /** A volume of an exec-based FlexVolume driver. Deprecated: use a CSI driver. */
  readonly flexVolume?: FlexVolumeSource;
  /** A disk of OpenStack Cinder. Deprecated: its CSI driver cinder.csi.openstack.org is used instead. */
  readonly cinder?: CinderVolumeSource;
  /** A Ceph file system. Deprecated and no longer supported. */
  readonly cephfs?: CephFSVolumeSource;
  /** A Flocker volume. Deprecated and no longer supported. */
  readonly flocker?: FlockerVolumeSource;
  /** Fields of the pod as files. */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /** A Fibre Channel disk that is attached to the node. */
  readonly fc?: FCVolumeSource;
  /** A file share of Azure. Deprecated: its CSI driver file.csi.azure.com is used instead. */
  readonly azureFile?: AzureFileVolumeSource;
  /** Entries of a config map as files. */
  readonly configMap?: ConfigMapVolumeSource;
  /** A disk of vSphere. Deprecated: its CSI driver csi.vsphere.vmware.com is used instead. */
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. Deprecated and no longer supported. */
  readonly quobyte?: QuobyteVolumeSource;
  /** A disk of Azure. Deprecated: its CSI driver disk.csi.azure.com is used instead. */
  readonly azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. Deprecated and no longer supported. */
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one directory. */
  readonly projected?: ProjectedVolumeSource;
  /** A Portworx volume. Deprecated: its CSI driver pxd.portworx.com is used instead. */
  readonly portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. Deprecated and no longer supported. */
  readonly scaleIO?: ScaleIOVolumeSource;
  /** A StorageOS volume. Deprecated and no longer supported. */
  readonly storageos?: StorageOSVolumeSource;
  /** A volume of a CSI driver that exists as long as the pod. */
  readonly csi?: CSIVolumeSource;
  /** Storage with a claim that is created and deleted with the pod. */
  readonly ephemeral?: EphemeralVolumeSource;
  /** Contents of a container image or artifact, read-only. */
  readonly image?: ImageVolumeSource;
}

/** VolumeDevice makes a block volume available in a container. */
export interface VolumeDevice {
  /** Name of the volume, which must be a claim. */
  readonly name: string;
  /** Path of the device in the container. */
  readonly devicePath: string;
}

/** Mount of a volume in a container. */
export interface VolumeMount {
  /** Name of the volume, from the volumes of the pod. */
  readonly name: string;
  /** Mounts the volume read-only. Default: false. */
  readonly readOnly?: boolean;
  /** Whether mounts below a read-only mount are read-only, too: Disabled, IfPossible or Enabled. Requires readOnly. Default: Disabled. */
  readonly recursiveReadOnly?: string;
  /** Path in the container, without ':'. */
  readonly mountPath: string;
  /** A path in the volume, instead of its root. Default: the root. */
  readonly subPath?: string;
  /** How mounts are propagated: None, HostToContainer shows later mounts of the node, Bidirectional shows those of the container on the node as well. Default: None. */
  readonly mountPropagation?: string;
  /** Like subPath, with $(NAME) for environment variables of the container. Cannot be combined with subPath. */
  readonly subPathExpr?: string;
}

/** VolumeMountStatus is the state of a mount. */
export interface VolumeMountStatus {
  /** Name of the volume, from the volumes of the pod. */
  readonly name: string;
  /** Path in the container at which the volume is mounted. */
  readonly mountPath: string;
  /** Whether the mount is read-only. */
  readonly readOnly?: boolean;
  /** Whether mounts below it are read-only: Disabled or Enabled. Not set for writable mounts. */
  readonly recursiveReadOnly?: string;
}

/** VolumeNodeAffinity limits the nodes that can access a volume. */
export interface VolumeNodeAffinity {
  /** The nodes from which the volume can be used. Pods with the volume are scheduled to these only. */
  readonly required?: NodeSelector;
}

/** VolumeProjection is one source of a projected volume. Exactly one field must be set. */
export interface VolumeProjection {
  /** Entries of a secret, as files. */
  readonly secret?: SecretProjection;
  /** Fields of the pod, as files. */
  readonly downwardAPI?: DownwardAPIProjection;
  /** Entries of a config map, as files. */
  readonly configMap?: ConfigMapProjection;
  /** A token of the pod's service account. */
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  /** Certificates of cluster trust bundles. */
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  /** A private key and a certificate that is issued for the pod. */
  readonly podCertificate?: PodCertificateProjection;
}

/** VolumeResourceRequirements holds the size of a requested volume. */
export interface VolumeResourceRequirements {
  /** Maximum size, as storage. Not enforced by most drivers. */
  readonly limits?: Readonly<Record<string, string>>;
  /** Minimum size, such as storage: 10Gi. */
  readonly requests?: Readonly<Record<string, string>>;
}

/** VsphereVirtualDiskVolumeSource is a disk of vSphere. */
export interface VsphereVirtualDiskVolumeSource {
  /** Path of the disk, such as [datastore1] volumes/disk. */
  readonly volumePath: string;
  /** File system of the volume, which the node must support, such as ext4 or xfs. Default: ext4. */
  readonly fsType?: string;
  /** Name of the storage policy. */
  readonly storagePolicyName?: string;
  /** ID of the storage policy. */
  readonly storagePolicyID?: string;
}

/** WeightedPodAffinityTerm is a preferred term. */
export interface WeightedPodAffinityTerm {
  /** Weight of the term in the score of a node: 1 to 100. */
  readonly weight: number;
  /** The pods, and the topology that should be shared with them or avoided. */
  readonly podAffinityTerm: PodAffinityTerm;
}

/** WindowsSecurityContextOptions holds security settings of Windows containers. */
export interface WindowsSecurityContextOptions {
  /** Name of the credential spec of a group managed service account. */
  readonly gmsaCredentialSpecName?: string;
  /** The credential spec itself. Set by an admission webhook from its name. */
  readonly gmsaCredentialSpec?: string;
  /** User name of the first process of the container, such as ContainerUser or DOMAIN\user. Default: the image's user. */
  readonly runAsUserName?: string;
  /** Whether the container runs directly on the node. All containers of a pod must agree, and hostNetwork must be true. Default: false. */
  readonly hostProcess?: boolean;
}
