/** The kinds whose objects are compared, by their paths under the names of kubernetes. */
const watched: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/api/v1': {
    Pod: 'pods',
    Service: 'services',
    Endpoints: 'endpoints',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    ReplicationController: 'replicationcontrollers',
    ResourceQuota: 'resourcequotas',
  },
  '/apis/apps/v1': {
    Deployment: 'deployments',
    ReplicaSet: 'replicasets',
    StatefulSet: 'statefulsets',
    DaemonSet: 'daemonsets',
    ControllerRevision: 'controllerrevisions',
  },
  '/apis/batch/v1': { Job: 'jobs', CronJob: 'cronjobs' },
  '/apis/autoscaling/v2': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  '/apis/policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  '/apis/discovery.k8s.io/v1': { EndpointSlice: 'endpointslices' },
  '/apis/resource.k8s.io/v1': { ResourceClaim: 'resourceclaims' },
};
const others: typeof watched = {
  '/api/v1': { ConfigMap: 'configmaps', Secret: 'secrets', ServiceAccount: 'serviceaccounts' },
  '/apis/coordination.k8s.io/v1': { Lease: 'leases' },
};

/** A kind with the path of its objects in a namespace. */
export interface ObservedKind {
  readonly kind: string;
  path(namespace: string): string;
}

const kindsOf = (table: typeof watched): readonly ObservedKind[] =>
  Object.entries(table).flatMap(([base, kinds]) =>
    Object.entries(kinds).map(([kind, plural]) => ({ kind, path: (namespace) => `${base}/namespaces/${namespace}/${plural}` })),
  );

/** Kinds with changes that count: a cluster is quiet when there are none. */
export const watchedKinds: readonly ObservedKind[] = kindsOf(watched);

/** All compared kinds. */
export const comparedKinds: readonly ObservedKind[] = [...watchedKinds, ...kindsOf(others)];
