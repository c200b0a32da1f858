/**
 * The controllers of the real controller manager, each with the alias that `--controllers` accepts for it.
 * Cf. cmd/kube-controller-manager names and GetAliases.
 */
const aliasesOfControllers: Readonly<Record<string, string>> = {
  'bootstrap-signer-controller': 'bootstrapsigner',
  'certificatesigningrequest-approving-controller': 'csrapproving',
  'certificatesigningrequest-cleaner-controller': 'csrcleaner',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'cloud-node-lifecycle-controller': 'cloud-node-lifecycle',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation',
  'cronjob-controller': 'cronjob',
  'daemonset-controller': 'daemonset',
  'deployment-controller': 'deployment',
  'device-taint-eviction-controller': '',
  'disruption-controller': 'disruption',
  'endpoints-controller': 'endpoint',
  'endpointslice-controller': 'endpointslice',
  'endpointslice-mirroring-controller': 'endpointslicemirroring',
  'ephemeral-volume-controller': 'ephemeral-volume',
  'garbage-collector-controller': 'garbagecollector',
  'horizontal-pod-autoscaler-controller': 'horizontalpodautoscaling',
  'job-controller': 'job',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller': '',
  'legacy-serviceaccount-token-cleaner-controller': 'legacy-service-account-token-cleaner',
  'namespace-controller': 'namespace',
  'node-ipam-controller': 'nodeipam',
  'node-lifecycle-controller': 'nodelifecycle',
  'node-route-controller': 'route',
  'persistentvolume-attach-detach-controller': 'attachdetach',
  'persistentvolume-binder-controller': 'persistentvolume-binder',
  'persistentvolume-expander-controller': 'persistentvolume-expander',
  'persistentvolume-protection-controller': 'pv-protection',
  'persistentvolumeclaim-protection-controller': 'pvc-protection',
  'pod-garbage-collector-controller': 'podgc',
  'podcertificaterequest-cleaner-controller': '',
  'replicaset-controller': 'replicaset',
  'replicationcontroller-controller': 'replicationcontroller',
  'resourceclaim-controller': 'resource-claim-controller',
  'resourcequota-controller': 'resourcequota',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'selinux-warning-controller': '',
  'service-cidr-controller': '',
  'service-lb-controller': 'service',
  'serviceaccount-controller': 'serviceaccount',
  'serviceaccount-token-controller': 'serviceaccount-token',
  'statefulset-controller': 'statefulset',
  'storage-version-migrator-controller': '',
  'storageversion-garbage-collector-controller': 'storage-version-gc',
  'taint-eviction-controller': '',
  'token-cleaner-controller': 'tokencleaner',
  'ttl-after-finished-controller': 'ttl-after-finished',
  'ttl-controller': 'ttl',
  'validatingadmissionpolicy-status-controller': '',
  'volumeattributesclass-protection-controller': '',
};

const knownNames: ReadonlySet<string> = new Set(Object.keys(aliasesOfControllers));
const namesOfAliases: ReadonlyMap<string, string> = new Map(Object.entries(aliasesOfControllers).map(([name, alias]) => [alias, name]));

/** Validates a list of `--controllers`. Cf. GenericControllerManagerConfigurationOptions.Validate. */
export function validateControllers(selected: readonly string[]): readonly string[] {
  return selected
    .filter((one) => one !== '*')
    .map((one) => one.replace(/^-/, ''))
    .filter((name) => !knownNames.has(canonicalName(name)))
    .map((name) => `${JSON.stringify(name)} is not in the list of known controllers`);
}

/** A list of `--controllers` with the names of controllers in the place of aliases. */
export function resolveControllerAliases(selected: readonly string[]): readonly string[] {
  return selected.map((one) => (one.startsWith('-') ? `-${canonicalName(one.slice(1))}` : canonicalName(one)));
}

function canonicalName(name: string): string {
  return (name !== '' && namesOfAliases.get(name)) || name;
}
