/** Controllers whose service account has another name than they. Cf. NewControllerInitializers and the ClientBuilder names upstream. */
const accounts: Readonly<Record<string, string>> = {
  'bootstrap-signer-controller': 'bootstrap-signer',
  'certificatesigningrequest-approving-controller': 'certificate-controller',
  'certificatesigningrequest-cleaner-controller': 'certificate-controller',
  'certificatesigningrequest-signing-controller': 'certificate-controller',
  'daemonset-controller': 'daemon-set-controller',
  'endpoints-controller': 'endpoint-controller',
  'endpointslice-mirroring-controller': 'endpointslicemirroring-controller',
  'garbage-collector-controller': 'generic-garbage-collector',
  'horizontal-pod-autoscaler-controller': 'horizontal-pod-autoscaler',
  'legacy-serviceaccount-token-cleaner-controller': 'legacy-service-account-token-cleaner',
  'node-ipam-controller': 'node-controller',
  'node-lifecycle-controller': 'node-controller',
  'persistentvolume-attach-detach-controller': 'attachdetach-controller',
  'persistentvolume-binder-controller': 'persistent-volume-binder',
  'persistentvolume-expander-controller': 'expand-controller',
  'persistentvolume-protection-controller': 'pv-protection-controller',
  'persistentvolumeclaim-protection-controller': 'pvc-protection-controller',
  'pod-garbage-collector-controller': 'pod-garbage-collector',
  'replicationcontroller-controller': 'replication-controller',
  'resourceclaim-controller': 'resource-claim-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'service-cidr-controller': 'service-cidrs-controller',
  'serviceaccount-controller': 'service-account-controller',
  'taint-eviction-controller': 'node-controller',
  'token-cleaner-controller': 'token-cleaner',
};

/** Signs tokens before there are accounts, so it uses the identity of the controller manager. */
const tokenController = 'serviceaccount-token-controller';

/** The service account of a controller in the system namespace, whose roles are its permissions; undefined: the controller manager's. */
export function serviceAccountOf(controller: string): string | undefined {
  return controller === tokenController ? undefined : (accounts[controller] ?? controller);
}
