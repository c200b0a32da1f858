import { createRandom } from '../../conformance/compare/mutate.mjs';

/** Objects with random settings, and requests that change them, for the scenarios of generate.mjs. */

const collections = {
  Deployment: '/apis/apps/v1/namespaces/{ns}/deployments',
  ReplicaSet: '/apis/apps/v1/namespaces/{ns}/replicasets',
  StatefulSet: '/apis/apps/v1/namespaces/{ns}/statefulsets',
  DaemonSet: '/apis/apps/v1/namespaces/{ns}/daemonsets',
  Job: '/apis/batch/v1/namespaces/{ns}/jobs',
  CronJob: '/apis/batch/v1/namespaces/{ns}/cronjobs',
  HorizontalPodAutoscaler: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
  ReplicationController: '/api/v1/namespaces/{ns}/replicationcontrollers',
  Pod: '/api/v1/namespaces/{ns}/pods',
  Service: '/api/v1/namespaces/{ns}/services',
  Endpoints: '/api/v1/namespaces/{ns}/endpoints',
  ConfigMap: '/api/v1/namespaces/{ns}/configmaps',
  Secret: '/api/v1/namespaces/{ns}/secrets',
  ServiceAccount: '/api/v1/namespaces/{ns}/serviceaccounts',
  PodDisruptionBudget: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
  ResourceQuota: '/api/v1/namespaces/{ns}/resourcequotas',
  PersistentVolumeClaim: '/api/v1/namespaces/{ns}/persistentvolumeclaims',
  ResourceClaim: '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims',
  PodMetrics: '/apis/metrics.k8s.io/v1beta1/namespaces/{ns}/pods',
  Node: '/api/v1/nodes',
  PersistentVolume: '/api/v1/persistentvolumes',
  StorageClass: '/apis/storage.k8s.io/v1/storageclasses',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  CertificateSigningRequest: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  ResourceSlice: '/apis/resource.k8s.io/v1/resourceslices',
};

export const collectionOf = (kind) => collections[kind];
export const pathOf = ({ kind, metadata: { namespace = '{ns}', name } }) => `${collections[kind].replace('{ns}', namespace)}/${name}`;

const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
export const threeNodes = [
  { name: 'node-1', allocatable, labels: { zone: 'a', disk: 'ssd' } },
  { name: 'node-2', allocatable, labels: { zone: 'a' } },
  { name: 'node-3', allocatable, labels: { zone: 'b', disk: 'hdd' } },
];

/** @param {string} [subresource] such as `/status` */
export const patch = (object, json, subresource = '') => ({
  do: {
    method: 'PATCH',
    path: pathOf(object) + subresource,
    headers: { 'content-type': 'application/merge-patch+json' },
    json,
  },
});
export const remove = (object, policy) => removeAt(pathOf(object), policy);
/** Deletes an object or a collection. */
export const removeAt = (path, policy) => ({
  do: { method: 'DELETE', path, json: { kind: 'DeleteOptions', apiVersion: 'v1', ...(policy ? { propagationPolicy: policy } : {}) } },
});
/** Writes the statuses of the pods whose `label` is one of the apps. */
export const play = (state, apps, label = 'app') => ({ pods: { labelSelector: `${label} in (${apps.join(',')})` }, play: state });

export const policies = ['Background', 'Foreground', 'Orphan', undefined];

export const selector = (app) => ({ matchLabels: { app } });
export const object = (apiVersion, kind, name, spec, metadata = {}) => ({ apiVersion, kind, metadata: { name, ...metadata }, spec });
/** A pod of one container. */
export const pod = (name, container, more = {}, metadata = {}) =>
  object('v1', 'Pod', name, { containers: [{ name: 'c', image: 'i', ...container }], terminationGracePeriodSeconds: 0, ...more }, metadata);

const shares = [0, 1, 2, '25%', '50%', '100%'];

/** Choices that depend on `seed` only. */
export function createChoices(seed) {
  const random = createRandom(seed);
  const one = (list) => list[random(list.length)];
  /** One of the values, or no member. */
  const maybe = (name, list) => (random(2) === 0 ? { [name]: one(list) } : {});
  const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));

  function template(app, more = {}) {
    const spec = {
      containers: [
        {
          name: 'c',
          image: one(['nginx:1.27', 'busybox']),
          ...maybe('resources', [{ requests: { cpu: '100m' } }, { limits: { memory: '64Mi' } }]),
        },
      ],
      ...maybe('terminationGracePeriodSeconds', [0, 1, 30]),
      ...more,
    };
    return { metadata: { labels: { app, ...maybe('tier', ['x', 'y']) } }, spec };
  }

  function rolling() {
    const [maxSurge, maxUnavailable] = [one(shares), one(shares)];
    return maxSurge === 0 && maxUnavailable === 0 ? {} : { maxSurge, maxUnavailable };
  }

  return { random, one, maybe, times, template, rolling };
}
