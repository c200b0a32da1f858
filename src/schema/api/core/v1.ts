// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

export interface AWSElasticBlockStoreVolumeSource {
  readonly volumeID: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAntiAffinity;
}

export interface AppArmorProfile {
  readonly type: string;
  readonly localhostProfile?: string;
}

export interface AttachedVolume {
  readonly name: string;
  readonly devicePath: string;
}

export interface AzureDiskVolumeSource {
  readonly diskName: string;
  readonly diskURI: string;
  readonly cachingMode?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  /** What kind of object this is. */
  readonly kind?: string;
}

export interface AzureFilePersistentVolumeSource {
  readonly secretName: string;
  readonly shareName: string;
  readonly readOnly?: boolean;
  readonly secretNamespace: string | null;
}

export interface AzureFileVolumeSource {
  readonly secretName: string;
  readonly shareName: string;
  readonly readOnly?: boolean;
}

export interface Binding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly target: ObjectReference;
}

export interface CSIPersistentVolumeSource {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly controllerPublishSecretRef?: SecretReference;
  readonly nodeStageSecretRef?: SecretReference;
  readonly nodePublishSecretRef?: SecretReference;
  readonly controllerExpandSecretRef?: SecretReference;
  readonly nodeExpandSecretRef?: SecretReference;
}

export interface CSIVolumeSource {
  readonly driver: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly nodePublishSecretRef?: LocalObjectReference;
}

export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

export interface CephFSPersistentVolumeSource {
  readonly monitors: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
}

export interface CephFSVolumeSource {
  readonly monitors: readonly string[] | null;
  readonly path?: string;
  readonly user?: string;
  readonly secretFile?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
}

export interface CinderPersistentVolumeSource {
  readonly volumeID: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: SecretReference;
}

export interface CinderVolumeSource {
  readonly volumeID: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
}

export interface ClientIPConfig {
  readonly timeoutSeconds?: number;
}

export interface ClusterTrustBundleProjection {
  readonly name?: string;
  readonly signerName?: string;
  readonly labelSelector?: metav1.LabelSelector;
  readonly optional?: boolean;
  readonly path: string;
}

export interface ComponentCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  readonly error?: string;
}

export interface ComponentStatus {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly ComponentCondition[];
}

/** Settings for programs. */
export interface ConfigMap {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Whether the entries can never change. */
  readonly immutable?: boolean;
  /** Entries as text. */
  readonly data?: Readonly<Record<string, string>>;
  /** Entries as bytes, in base64. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface ConfigMapEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

export interface ConfigMapKeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface ConfigMapNodeConfigSource {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly kubeletConfigKey: string;
}

export interface ConfigMapProjection {
  readonly name?: string;
  /** The objects. */
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

export interface ConfigMapVolumeSource {
  readonly name?: string;
  /** The objects. */
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

/** One container of a pod. */
export interface Container {
  /** Unique in the pod. Cannot change. */
  readonly name: string;
  /** The image to run. */
  readonly image?: string;
  /** The program, instead of the image's. */
  readonly command?: readonly string[];
  /** Arguments of the program, instead of the image's. */
  readonly args?: readonly string[];
  /** The directory in which the program starts. */
  readonly workingDir?: string;
  /** Ports on which the container listens. For information: others can be reached too. */
  readonly ports?: readonly ContainerPort[];
  /** Config maps and secrets whose entries become environment variables. */
  readonly envFrom?: readonly EnvFromSource[];
  /** Environment variables. */
  readonly env?: readonly EnvVar[];
  /** What the container may use, and what is kept free for it. */
  readonly resources: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** Always makes an init container run beside the others. */
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  /** Where volumes appear in the file system. */
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  /** Restarts the container when it fails. */
  readonly livenessProbe?: Probe;
  /** Keeps traffic away while it fails. */
  readonly readinessProbe?: Probe;
  /** Holds the other probes back until it succeeds. */
  readonly startupProbe?: Probe;
  /** What to do right after the start and before the end. */
  readonly lifecycle?: Lifecycle;
  /** The file in which the program leaves its last words. */
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  /** When the image is pulled: Always, Never or IfNotPresent. */
  readonly imagePullPolicy?: string;
  /** Rights of the container. */
  readonly securityContext?: SecurityContext;
  /** Keeps the input open. */
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  /** Gives the program a terminal. */
  readonly tty?: boolean;
}

export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

export interface ContainerImage {
  readonly names: readonly string[] | null;
  readonly sizeBytes?: number;
}

/** A port on which a container listens. */
export interface ContainerPort {
  /** A name by which services refer to the port. */
  readonly name?: string;
  /** The same port on the node. */
  readonly hostPort?: number;
  /** The number of the port. */
  readonly containerPort: number;
  /** TCP, UDP or SCTP. */
  readonly protocol?: string;
  readonly hostIP?: string;
}

export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

export interface ContainerRestartRule {
  readonly action?: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes;
}

export interface ContainerRestartRuleOnExitCodes {
  readonly operator?: string;
  readonly values?: readonly number[];
}

export interface ContainerState {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
}

export interface ContainerStateRunning {
  readonly startedAt: string | null;
}

export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly signal?: number;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly containerID?: string;
}

export interface ContainerStateWaiting {
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMountStatus[];
  readonly user?: ContainerUser;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[];
  readonly stopSignal?: string;
}

export interface ContainerUser {
  readonly linux?: LinuxContainerUser;
}

export interface DaemonEndpoint {
  readonly Port: number;
}

export interface DownwardAPIProjection {
  /** The objects. */
  readonly items?: readonly DownwardAPIVolumeFile[];
}

export interface DownwardAPIVolumeFile {
  readonly path: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
}

export interface DownwardAPIVolumeSource {
  /** The objects. */
  readonly items?: readonly DownwardAPIVolumeFile[];
  readonly defaultMode?: number;
}

export interface EmptyDirVolumeSource {
  readonly medium?: string;
  readonly sizeLimit?: string;
}

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
}

/** Addresses behind a service. EndpointSlice replaces it. */
export interface Endpoints {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly subsets?: readonly EndpointSubset[];
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: ConfigMapEnvSource;
  readonly secretRef?: SecretEnvSource;
}

/** An environment variable. */
export interface EnvVar {
  readonly name: string;
  /** Its value; $(NAME) stands for other variables. */
  readonly value?: string;
  /** Where its value comes from. */
  readonly valueFrom?: EnvVarSource;
}

export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: ConfigMapKeySelector;
  readonly secretKeyRef?: SecretKeySelector;
  readonly fileKeyRef?: FileKeySelector;
}

export interface EphemeralContainer {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly targetContainerName?: string;
}

export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** Tells what happened to an object. Kept for a while only. */
export interface Event {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly involvedObject: ObjectReference;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  readonly source: EventSource;
  readonly firstTimestamp: string | null;
  readonly lastTimestamp: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime: string | null;
  readonly series?: EventSeries;
  readonly action?: string;
  readonly related?: ObjectReference;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

export interface EventSeries {
  readonly count?: number;
  readonly lastObservedTime: string | null;
}

export interface EventSource {
  readonly component?: string;
  readonly host?: string;
}

export interface ExecAction {
  readonly command?: readonly string[];
}

export interface FCVolumeSource {
  readonly targetWWNs?: readonly string[];
  readonly lun?: number;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly wwids?: readonly string[];
}

export interface FileKeySelector {
  readonly volumeName: string;
  readonly path: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface FlexPersistentVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
  readonly options?: Readonly<Record<string, string>>;
}

export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
  readonly options?: Readonly<Record<string, string>>;
}

export interface FlockerVolumeSource {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
}

export interface GCEPersistentDiskVolumeSource {
  readonly pdName: string;
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
}

export interface GRPCAction {
  readonly port: number;
  readonly service: string | null;
}

export interface GitRepoVolumeSource {
  readonly repository: string;
  readonly revision?: string;
  readonly directory?: string;
}

export interface GlusterfsPersistentVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean;
  readonly endpointsNamespace?: string;
}

export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

export interface HTTPGetAction {
  readonly path?: string;
  readonly port: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly HTTPHeader[];
}

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

export interface HostAlias {
  readonly ip: string;
  readonly hostnames?: readonly string[];
}

export interface HostIP {
  readonly ip: string;
}

export interface HostPathVolumeSource {
  readonly path: string;
  readonly type?: string;
}

export interface ISCSIPersistentVolumeSource {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: SecretReference;
  readonly initiatorName?: string;
}

export interface ISCSIVolumeSource {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly iscsiInterface?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly portals?: readonly string[];
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: LocalObjectReference;
  readonly initiatorName?: string;
}

export interface ImageVolumeSource {
  readonly reference?: string;
  readonly pullPolicy?: string;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
}

export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
}

/** How much a pod, container or claim of a namespace may use. */
export interface LimitRange {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: LimitRangeSpec;
}

export interface LimitRangeItem {
  readonly type: string;
  readonly max?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly default?: Readonly<Record<string, string>>;
  readonly defaultRequest?: Readonly<Record<string, string>>;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>;
}

export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[] | null;
}

export interface LinuxContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly supplementalGroups?: readonly number[];
}

export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly PortStatus[];
}

export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[];
}

export interface LocalObjectReference {
  readonly name?: string;
}

export interface LocalVolumeSource {
  readonly path: string;
  readonly fsType?: string;
}

export interface ModifyVolumeStatus {
  readonly targetVolumeAttributesClassName?: string;
  /** What is seen. Written by the system. */
  readonly status: string;
}

export interface NFSVolumeSource {
  readonly server: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

/** Keeps names apart. */
export interface Namespace {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: NamespaceSpec;
  readonly status: NamespaceStatus;
}

export interface NamespaceCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface NamespaceSpec {
  readonly finalizers?: readonly string[];
}

export interface NamespaceStatus {
  readonly phase?: string;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly NamespaceCondition[];
}

/** A machine on which pods run. */
export interface Node {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: NodeSpec;
  readonly status: NodeStatus;
}

export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
}

export interface NodeCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  readonly lastHeartbeatTime: string | null;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface NodeConfigSource {
  readonly configMap?: ConfigMapNodeConfigSource;
}

export interface NodeConfigStatus {
  readonly assigned?: NodeConfigSource;
  readonly active?: NodeConfigSource;
  readonly lastKnownGood?: NodeConfigSource;
  readonly error?: string;
}

export interface NodeDaemonEndpoints {
  readonly kubeletEndpoint: DaemonEndpoint;
}

export interface NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean;
}

export interface NodeRuntimeHandler {
  readonly name: string;
  readonly features?: NodeRuntimeHandlerFeatures;
}

export interface NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean;
  readonly userNamespaces?: boolean;
}

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[] | null;
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSpec {
  /** Addresses of pods on the node. */
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  /** Takes no new pods. */
  readonly unschedulable?: boolean;
  /** What keeps pods away that do not tolerate it. */
  readonly taints?: readonly Taint[];
  readonly configSource?: NodeConfigSource;
  readonly externalID?: string;
}

export interface NodeStatus {
  /** What the node has. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** What of it pods can have. */
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly phase?: string;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly NodeCondition[];
  /** Where the node is reached. */
  readonly addresses?: readonly NodeAddress[];
  readonly daemonEndpoints: NodeDaemonEndpoints;
  /** Which software the node runs. */
  readonly nodeInfo: NodeSystemInfo;
  readonly images?: readonly ContainerImage[];
  readonly volumesInUse?: readonly string[];
  readonly volumesAttached?: readonly AttachedVolume[];
  readonly config?: NodeConfigStatus;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  readonly features?: NodeFeatures;
}

export interface NodeSwapStatus {
  readonly capacity?: number;
}

export interface NodeSystemInfo {
  readonly machineID: string;
  readonly systemUUID: string;
  readonly bootID: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly containerRuntimeVersion: string;
  readonly kubeletVersion: string;
  readonly kubeProxyVersion: string;
  readonly operatingSystem: string;
  readonly architecture: string;
  readonly swap?: NodeSwapStatus;
}

export interface ObjectFieldSelector {
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

export interface ObjectReference {
  /** What kind of object this is. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  /** APIVersion defines the group and version in which the object is written. */
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** Storage in the cluster. */
export interface PersistentVolume {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PersistentVolumeSpec;
  readonly status: PersistentVolumeStatus;
}

/** Asks for storage, and then stands for it. */
export interface PersistentVolumeClaim {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PersistentVolumeClaimSpec;
  readonly status: PersistentVolumeClaimStatus;
}

export interface PersistentVolumeClaimCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  readonly lastProbeTime: string | null;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface PersistentVolumeClaimSpec {
  /** How the volume is mounted. */
  readonly accessModes?: readonly string[];
  readonly selector?: metav1.LabelSelector;
  /** How much is needed. */
  readonly resources: VolumeResourceRequirements;
  /** The volume that the claim is bound to. */
  readonly volumeName?: string;
  /** The class that makes the volume. */
  readonly storageClassName?: string;
  /** A file system or a block device. */
  readonly volumeMode?: string;
  readonly dataSource?: TypedLocalObjectReference;
  readonly dataSourceRef?: TypedObjectReference;
  readonly volumeAttributesClassName?: string;
}

export interface PersistentVolumeClaimStatus {
  readonly phase?: string;
  readonly accessModes?: readonly string[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly PersistentVolumeClaimCondition[];
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
  readonly currentVolumeAttributesClassName?: string;
  readonly modifyVolumeStatus?: ModifyVolumeStatus;
}

export interface PersistentVolumeClaimTemplate {
  /** Name, labels and what else is known of every object. */
  readonly metadata: metav1.ObjectMeta;
  /** What is wanted. */
  readonly spec: PersistentVolumeClaimSpec;
}

export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}

export interface PersistentVolumeSpec {
  readonly capacity?: Readonly<Record<string, string>>;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly hostPath?: HostPathVolumeSource;
  readonly glusterfs?: GlusterfsPersistentVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly rbd?: RBDPersistentVolumeSource;
  readonly iscsi?: ISCSIPersistentVolumeSource;
  readonly cinder?: CinderPersistentVolumeSource;
  readonly cephfs?: CephFSPersistentVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly flexVolume?: FlexPersistentVolumeSource;
  readonly azureFile?: AzureFilePersistentVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOPersistentVolumeSource;
  readonly local?: LocalVolumeSource;
  readonly storageos?: StorageOSPersistentVolumeSource;
  readonly csi?: CSIPersistentVolumeSource;
  readonly accessModes?: readonly string[];
  readonly claimRef?: ObjectReference;
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly mountOptions?: readonly string[];
  readonly volumeMode?: string;
  readonly nodeAffinity?: VolumeNodeAffinity;
  readonly volumeAttributesClassName?: string;
}

export interface PersistentVolumeStatus {
  readonly phase?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
  /** Why, in one word for programs. */
  readonly reason?: string;
  readonly lastPhaseTransitionTime?: string;
}

export interface PhotonPersistentDiskVolumeSource {
  readonly pdID: string;
  readonly fsType?: string;
}

/** Containers that run together on one node. */
export interface Pod {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

export interface PodAffinityTerm {
  readonly labelSelector?: metav1.LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
  readonly namespaceSelector?: metav1.LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface PodAntiAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

export interface PodCertificateProjection {
  readonly signerName?: string;
  readonly keyType?: string;
  readonly maxExpirationSeconds?: number;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly certificateChainPath?: string;
}

export interface PodCondition {
  readonly type: string;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** What is seen. Written by the system. */
  readonly status: string;
  readonly lastProbeTime: string | null;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface PodDNSConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly PodDNSConfigOption[];
}

export interface PodDNSConfigOption {
  readonly name?: string;
  readonly value?: string;
}

export interface PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly ContainerExtendedResourceRequest[] | null;
  readonly resourceClaimName: string;
}

export interface PodIP {
  readonly ip: string;
}

export interface PodOS {
  readonly name: string;
}

export interface PodReadinessGate {
  readonly conditionType: string;
}

export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string;
}

export interface PodSchedulingGate {
  readonly name: string;
}

export interface PodSecurityContext {
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
  readonly seLinuxChangePolicy?: string;
}

/** What a pod runs, and where. */
export interface PodSpec {
  /** Storage that containers of the pod may mount. */
  readonly volumes?: readonly Volume[];
  /** Containers that run to their end, one after the other, before the others start. With restartPolicy Always one keeps running beside them. */
  readonly initContainers?: readonly Container[];
  /** Containers of the pod. There is at least one. */
  readonly containers: readonly Container[] | null;
  /** Containers added to a running pod to look into it. */
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  /** When containers that ended are started again: Always, OnFailure or Never. */
  readonly restartPolicy?: string;
  /** Seconds that processes have to end after they were told to. */
  readonly terminationGracePeriodSeconds?: number;
  /** Seconds after which the pod is ended. */
  readonly activeDeadlineSeconds?: number;
  /** Where names are resolved. */
  readonly dnsPolicy?: string;
  /** Labels that the node must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The account that the pod runs as. */
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  /** Whether the account's token is mounted. */
  readonly automountServiceAccountToken?: boolean;
  /** The node that the pod is bound to. */
  readonly nodeName?: string;
  /** Uses the network of the node. */
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  /** Rights of all containers, unless they say otherwise. */
  readonly securityContext?: PodSecurityContext;
  /** Secrets with which images are pulled. */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** The host name inside the pod. */
  readonly hostname?: string;
  readonly subdomain?: string;
  /** Which nodes, and the vicinity of which pods, are preferred or required. */
  readonly affinity?: Affinity;
  /** Which scheduler chooses the node. */
  readonly schedulerName?: string;
  /** Taints that do not keep the pod from a node. */
  readonly tolerations?: readonly Toleration[];
  /** Further lines for the hosts file. */
  readonly hostAliases?: readonly HostAlias[];
  /** How important the pod is. */
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly dnsConfig?: PodDNSConfig;
  /** Further conditions that must be true for the pod to be ready. */
  readonly readinessGates?: readonly PodReadinessGate[];
  /** How the containers are run. */
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  /** What running the pod costs beyond its containers. */
  readonly overhead?: Readonly<Record<string, string>>;
  /** How pods are spread over zones and nodes. */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: PodOS;
  readonly hostUsers?: boolean;
  /** The pod is not scheduled before all of these are removed. */
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly hostnameOverride?: string;
}

export interface PodStatus {
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** Where the pod is in its life: Pending, Running, Succeeded, Failed or Unknown. */
  readonly phase?: string;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly PodCondition[];
  /** Why, in a sentence for people. */
  readonly message?: string;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** The node where room is made for the pod. */
  readonly nominatedNodeName?: string;
  /** The address of its node. */
  readonly hostIP?: string;
  readonly hostIPs?: readonly HostIP[];
  /** The first address of the pod. */
  readonly podIP?: string;
  /** All addresses of the pod. */
  readonly podIPs?: readonly PodIP[];
  /** When the node took the pod on. */
  readonly startTime?: string;
  /** How each init container is. */
  readonly initContainerStatuses?: readonly ContainerStatus[];
  /** How each container is. */
  readonly containerStatuses?: readonly ContainerStatus[];
  /** How early the pod is ended when its node runs short: Guaranteed last, BestEffort first. */
  readonly qosClass?: string;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[];
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
}

export interface PodTemplate {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly template: PodTemplateSpec;
}

/** What pods look like when they are made. */
export interface PodTemplateSpec {
  /** Name, labels and what else is known of every object. */
  readonly metadata: metav1.ObjectMeta;
  /** What is wanted. */
  readonly spec: PodSpec;
}

export interface PortStatus {
  readonly port: number;
  readonly protocol: string;
  readonly error?: string;
}

export interface PortworxVolumeSource {
  readonly volumeID: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

export interface PreferredSchedulingTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}

/** A check that is repeated. */
export interface Probe {
  /** Runs a command in the container. */
  readonly exec?: ExecAction;
  /** Asks by HTTP. */
  readonly httpGet?: HTTPGetAction;
  /** Opens a connection. */
  readonly tcpSocket?: TCPSocketAction;
  /** Asks by gRPC. */
  readonly grpc?: GRPCAction;
  /** Seconds before the first check. */
  readonly initialDelaySeconds?: number;
  /** Seconds after which a check has failed. */
  readonly timeoutSeconds?: number;
  /** Seconds from check to check. */
  readonly periodSeconds?: number;
  /** Successes in a row that make it succeed. */
  readonly successThreshold?: number;
  /** Failures in a row that make it fail. */
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface ProjectedVolumeSource {
  readonly sources: readonly VolumeProjection[] | null;
  readonly defaultMode?: number;
}

export interface QuobyteVolumeSource {
  readonly registry: string;
  readonly volume: string;
  readonly readOnly?: boolean;
  readonly user?: string;
  readonly group?: string;
  readonly tenant?: string;
}

export interface RBDPersistentVolumeSource {
  readonly monitors: readonly string[] | null;
  readonly image: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: SecretReference;
  readonly readOnly?: boolean;
}

export interface RBDVolumeSource {
  readonly monitors: readonly string[] | null;
  readonly image: string;
  readonly fsType?: string;
  readonly pool?: string;
  readonly user?: string;
  readonly keyring?: string;
  readonly secretRef?: LocalObjectReference;
  readonly readOnly?: boolean;
}

export interface ReplicationController {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ReplicationControllerSpec;
  readonly status: ReplicationControllerStatus;
}

export interface ReplicationControllerCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface ReplicationControllerSpec {
  readonly replicas?: number;
  /** How long a new pod has to be ready before it counts as available. */
  readonly minReadySeconds?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly template?: PodTemplateSpec;
}

export interface ReplicationControllerStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly ReplicationControllerCondition[];
}

export interface ResourceClaim {
  readonly name: string;
  readonly request?: string;
}

export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor: string;
}

export interface ResourceHealth {
  readonly resourceID: string;
  readonly health?: string;
}

/** How much a namespace may use. */
export interface ResourceQuota {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ResourceQuotaSpec;
  readonly status: ResourceQuotaStatus;
}

export interface ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: ScopeSelector;
}

export interface ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
}

/** What may be used, and what is kept free. */
export interface ResourceRequirements {
  /** The most that may be used. */
  readonly limits?: Readonly<Record<string, string>>;
  /** What is kept free; the limits when not set. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly claims?: readonly ResourceClaim[];
}

export interface ResourceStatus {
  readonly name: string;
  readonly resources?: readonly ResourceHealth[];
}

export interface SELinuxOptions {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

export interface ScaleIOPersistentVolumeSource {
  readonly gateway: string;
  readonly system: string;
  readonly secretRef: SecretReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

export interface ScaleIOVolumeSource {
  readonly gateway: string;
  readonly system: string;
  readonly secretRef: LocalObjectReference | null;
  readonly sslEnabled?: boolean;
  readonly protectionDomain?: string;
  readonly storagePool?: string;
  readonly storageMode?: string;
  readonly volumeName?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[];
}

export interface ScopedResourceSelectorRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface SeccompProfile {
  readonly type: string;
  readonly localhostProfile?: string;
}

/** Settings that not everybody may read. */
export interface Secret {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Whether the entries can never change. */
  readonly immutable?: boolean;
  /** Entries, in base64. */
  readonly data?: Readonly<Record<string, string>>;
  /** Entries as text; written only, they end up in data. */
  readonly stringData?: Readonly<Record<string, string>>;
  /** What the secret is for. */
  readonly type?: string;
}

export interface SecretEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

export interface SecretKeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface SecretProjection {
  readonly name?: string;
  /** The objects. */
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

export interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

export interface SecretVolumeSource {
  readonly secretName?: string;
  /** The objects. */
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface SecurityContext {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsSecurityContextOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
}

/** One address for a set of pods. */
export interface Service {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ServiceSpec;
  readonly status: ServiceStatus;
}

/** An account for programs. */
export interface ServiceAccount {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly secrets?: readonly ObjectReference[];
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly automountServiceAccountToken?: boolean;
}

export interface ServiceAccountTokenProjection {
  readonly audience?: string;
  readonly expirationSeconds?: number;
  readonly path: string;
}

/** A port of a service. */
export interface ServicePort {
  readonly name?: string;
  /** TCP, UDP or SCTP. */
  readonly protocol?: string;
  /** What is spoken on the port. */
  readonly appProtocol?: string;
  /** The number under which the service is reached. */
  readonly port: number;
  /** Number or name of the port of the pods. */
  readonly targetPort: number | string;
  /** The port on every node. */
  readonly nodePort?: number;
}

/** Which pods are reached, and how. */
export interface ServiceSpec {
  /** Ports of the service. */
  readonly ports?: readonly ServicePort[];
  /** Labels of the pods that get the traffic. */
  readonly selector?: Readonly<Record<string, string>>;
  /** The address in the cluster; None for a service without one. */
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  readonly type?: string;
  /** Further addresses for which nodes take traffic. */
  readonly externalIPs?: readonly string[];
  /** With ClientIP a client stays with one pod. */
  readonly sessionAffinity?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  /** The name that the service stands for, with type ExternalName. */
  readonly externalName?: string;
  /** With Local traffic from outside stays on the node where it came in. */
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly publishNotReadyAddresses?: boolean;
  readonly sessionAffinityConfig?: SessionAffinityConfig;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly loadBalancerClass?: string;
  /** With Local traffic from pods stays on their node. */
  readonly internalTrafficPolicy?: string;
  readonly trafficDistribution?: string;
}

export interface ServiceStatus {
  readonly loadBalancer: LoadBalancerStatus;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly metav1.Condition[];
}

export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig;
}

export interface SleepAction {
  readonly seconds: number;
}

export interface StorageOSPersistentVolumeSource {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: ObjectReference;
}

export interface StorageOSVolumeSource {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: LocalObjectReference;
}

export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

export interface TCPSocketAction {
  readonly port: number | string;
  readonly host?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface TopologySelectorLabelRequirement {
  readonly key: string;
  readonly values: readonly string[] | null;
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[];
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: metav1.LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

export interface TypedLocalObjectReference {
  readonly apiGroup: string | null;
  /** What kind of object this is. */
  readonly kind: string;
  readonly name: string;
}

export interface TypedObjectReference {
  readonly apiGroup: string | null;
  /** What kind of object this is. */
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Storage of a pod: a name and one source. */
export interface Volume {
  readonly name: string;
  /** A directory of the node. */
  readonly hostPath?: HostPathVolumeSource;
  /** An empty directory that lives as long as the pod. */
  readonly emptyDir?: EmptyDirVolumeSource;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  readonly gitRepo?: GitRepoVolumeSource;
  /** Entries of a secret as files. */
  readonly secret?: SecretVolumeSource;
  readonly nfs?: NFSVolumeSource;
  readonly iscsi?: ISCSIVolumeSource;
  readonly glusterfs?: GlusterfsVolumeSource;
  /** Storage that outlives the pod. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  readonly rbd?: RBDVolumeSource;
  readonly flexVolume?: FlexVolumeSource;
  readonly cinder?: CinderVolumeSource;
  readonly cephfs?: CephFSVolumeSource;
  readonly flocker?: FlockerVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly fc?: FCVolumeSource;
  readonly azureFile?: AzureFileVolumeSource;
  /** Entries of a config map as files. */
  readonly configMap?: ConfigMapVolumeSource;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource;
  readonly quobyte?: QuobyteVolumeSource;
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one directory. */
  readonly projected?: ProjectedVolumeSource;
  readonly portworxVolume?: PortworxVolumeSource;
  readonly scaleIO?: ScaleIOVolumeSource;
  readonly storageos?: StorageOSVolumeSource;
  readonly csi?: CSIVolumeSource;
  readonly ephemeral?: EphemeralVolumeSource;
  readonly image?: ImageVolumeSource;
}

export interface VolumeDevice {
  readonly name: string;
  readonly devicePath: string;
}

/** Where a volume appears in a container. */
export interface VolumeMount {
  /** The volume. */
  readonly name: string;
  /** Whether nothing can be written. */
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  /** The directory in the container. */
  readonly mountPath: string;
  /** A path in the volume, instead of its root. */
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
}

export interface VolumeMountStatus {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
}

export interface VolumeNodeAffinity {
  readonly required?: NodeSelector;
}

export interface VolumeProjection {
  readonly secret?: SecretProjection;
  readonly downwardAPI?: DownwardAPIProjection;
  readonly configMap?: ConfigMapProjection;
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly podCertificate?: PodCertificateProjection;
}

export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

export interface VsphereVirtualDiskVolumeSource {
  readonly volumePath: string;
  readonly fsType?: string;
  readonly storagePolicyName?: string;
  readonly storagePolicyID?: string;
}

export interface WeightedPodAffinityTerm {
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}

export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}
