import type { Json } from '../../../meta/index.ts';

/** Differences between upstream's internal structs and the API (k8s.io/kubernetes pkg/apis). */

export function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** JSON name, or `type.name` for one type only → Go field name, where it is not just capitalized. */
export const internalNames: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiGroups: 'APIGroups',
  apiVersion: 'APIVersion',
  apiVersions: 'APIVersions',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  caBundle: 'CABundle',
  cel: 'CEL',
  cephfs: 'CephFS',
  cidr: 'CIDR',
  cidrs: 'CIDRs',
  csi: 'CSI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsGroupPolicy: 'FSGroupPolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  gid: 'GID',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  grpc: 'GRPC',
  http: 'HTTP',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  ip: 'IP',
  ipBlock: 'IPBlock',
  ipFamilies: 'IPFamilies',
  ipFamilyPolicy: 'IPFamilyPolicy',
  ipMode: 'IPMode',
  ips: 'IPs',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  iscsiInterface: 'ISCSIInterface',
  nfs: 'NFS',
  os: 'OS',
  osImage: 'OSImage',
  pdName: 'PDName',
  qosClass: 'QOSClass',
  rbd: 'RBD',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxMount: 'SELinuxMount',
  seLinuxOptions: 'SELinuxOptions',
  sslEnabled: 'SSLEnabled',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tls: 'TLS',
  ttlSecondsAfterFinished: 'TTLSecondsAfterFinished',
  tty: 'TTY',
  uid: 'UID',
  url: 'URL',
  wwids: 'WWIDs',
  'core.AzureDiskVolumeSource.diskURI': 'DataDiskURI',
  'core.ContainerStatus.lastState': 'LastTerminationState',
  'core.Event.reportingComponent': 'ReportingController',
  'core.GlusterfsPersistentVolumeSource.endpoints': 'EndpointsName',
  'core.GlusterfsVolumeSource.endpoints': 'EndpointsName',
  'core.ISCSIPersistentVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'core.ISCSIPersistentVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'core.ISCSIVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'core.ISCSIVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'core.NodeSpec.externalID': 'DoNotUseExternalID',
  'core.RBDPersistentVolumeSource.image': 'RBDImage',
  'core.RBDPersistentVolumeSource.monitors': 'CephMonitors',
  'core.RBDPersistentVolumeSource.pool': 'RBDPool',
  'core.RBDPersistentVolumeSource.user': 'RadosUser',
  'core.RBDVolumeSource.image': 'RBDImage',
  'core.RBDVolumeSource.monitors': 'CephMonitors',
  'core.RBDVolumeSource.pool': 'RBDPool',
  'core.RBDVolumeSource.user': 'RadosUser',
  'resource.DeviceAttribute.bool': 'BoolValue',
  'resource.DeviceAttribute.int': 'IntValue',
  'resource.DeviceAttribute.string': 'StringValue',
  'resource.DeviceAttribute.version': 'VersionValue',
};

/** Fields of the pod spec in the API that are in the internal security context, with their unset values. */
export const securityFields: readonly (readonly [name: string, zero: Json])[] = [
  ['hostNetwork', false],
  ['hostPID', false],
  ['hostIPC', false],
  ['shareProcessNamespace', null],
  ['hostUsers', null],
];

const words = (text: string): readonly string[] => text.split(' ');

const persistentVolumeSource = words(
  'gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi flexVolume cinder cephfs fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local storageos csi',
);

/** Field order of internal structs, where it differs from the API; fields that are not listed do not exist there. */
export const internalOrders: Readonly<Record<string, readonly string[]>> = {
  'autoscaling.ContainerResourceMetricSource': words('name container target'),
  'batch.JobSpec': words(
    'parallelism completions podFailurePolicy successPolicy activeDeadlineSeconds backoffLimit backoffLimitPerIndex maxFailedIndexes selector manualSelector template ttlSecondsAfterFinished completionMode suspend podReplacementPolicy managedBy',
  ),
  'core.PersistentVolumeSource': persistentVolumeSource,
  'core.PersistentVolumeSpec': [
    'capacity',
    ...persistentVolumeSource,
    ...words(
      'accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName',
    ),
  ],
  'core.PodSecurityContext': words(
    'seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups supplementalGroupsPolicy fsGroup fsGroupChangePolicy sysctls seccompProfile appArmorProfile seLinuxChangePolicy',
  ),
  'core.PodSpec': words(
    'volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks topologySpreadConstraints os schedulingGates resourceClaims resources hostnameOverride',
  ),
  'core.ServiceSpec': words(
    'type ports selector clusterIP clusterIPs ipFamilies ipFamilyPolicy externalName externalIPs loadBalancerIP sessionAffinity sessionAffinityConfig loadBalancerSourceRanges externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy trafficDistribution',
  ),
  'core.Volume': words(
    'name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd quobyte flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image',
  ),
  'storage.CSIDriverSpec': words(
    'attachRequired fsGroupPolicy podInfoOnMount volumeLifecycleModes storageCapacity tokenRequests requiresRepublish seLinuxMount nodeAllocatableUpdatePeriodSeconds',
  ),
};
