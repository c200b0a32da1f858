import { collectionOf, object, patch, pod, policies, remove, selector, threeNodes } from './objects.mjs';

const batch = 6;

/**
 * Areas of workloads on simulated nodes. Each returns the nodes, the objects, and the changes of a scenario.
 *
 * @param {ReturnType<typeof import('./objects.mjs').createChoices>} choices
 */
export function workloadAreas({ random, one, maybe, times, template, rolling }) {
  return {
    deployment() {
      const objects = times(batch, (at) =>
        object('apps/v1', 'Deployment', `d${at}`, {
          replicas: random(4),
          selector: selector(`d${at}`),
          template: template(`d${at}`, maybe('nodeSelector', [{ zone: 'a' }, { zone: 'none' }])),
          ...maybe('strategy', [{ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: rolling() }]),
          ...maybe('minReadySeconds', [1, 2]),
          ...maybe('revisionHistoryLimit', [0, 1]),
          ...maybe('paused', [true]),
          ...maybe('progressDeadlineSeconds', [3, 600]),
        }),
      );
      const change = (d) =>
        one([
          () => patch(d, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } }),
          () => patch(d, { spec: { replicas: random(5) } }),
          () => patch(d, { spec: { paused: random(2) === 0 } }),
          () => patch(d, { spec: { template: { metadata: { annotations: { a: String(random(3)) } } } } }),
          () => patch(d, { metadata: { labels: { x: 'y' }, annotations: { note: 'a' } } }),
          () => patch(d, { spec: { replicas: random(4), template: { metadata: { labels: { v: String(random(2)) } } } } }),
          () => patch(d, { spec: { minReadySeconds: random(3), revisionHistoryLimit: random(2) } }),
          () => remove(d, one(policies)),
        ])();
      return { nodes: threeNodes, objects, changes: [objects.map(change), objects.map(change)] };
    },
    replicaset() {
      const kinds = ['ReplicaSet', 'ReplicationController'];
      const objects = times(batch, (at) => {
        const kind = one(kinds);
        const spec = {
          replicas: random(4),
          selector: kind === 'ReplicaSet' ? selector(`r${at}`) : { app: `r${at}` },
          template: template(`r${at}`),
          ...maybe('minReadySeconds', [1, 2]),
        };
        return object(kind === 'ReplicaSet' ? 'apps/v1' : 'v1', kind, `r${at}`, spec);
      });
      const orphans = times(3, (at) => ({
        ...object('v1', 'Pod', `orphan${at}`, template('x').spec, { labels: { app: `r${at}` } }),
      }));
      const change = (r) =>
        one([
          () => patch(r, { spec: { replicas: random(5) } }),
          () => patch(r, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } }),
          () => patch(r, { metadata: { finalizers: ['example.com/x'] } }),
          () => remove(r, one(policies)),
        ])();
      return { nodes: threeNodes, objects: [...orphans, ...objects], changes: [objects.map(change), objects.map(change)] };
    },
    statefulset() {
      const objects = times(4, (at) =>
        object('apps/v1', 'StatefulSet', `s${at}`, {
          replicas: random(4),
          serviceName: `s${at}`,
          selector: selector(`s${at}`),
          template: template(`s${at}`),
          ...maybe('podManagementPolicy', ['Parallel', 'OrderedReady']),
          ...maybe('updateStrategy', [{ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { partition: random(3) } }]),
          ...maybe('minReadySeconds', [1]),
          ...maybe('ordinals', [{ start: 2 }]),
          ...maybe('revisionHistoryLimit', [0, 1]),
        }),
      );
      const change = (s) =>
        one([
          () => patch(s, { spec: { replicas: random(4) } }),
          () => patch(s, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } }),
          () => patch(s, { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: random(2) } } } }),
          () => patch(s, { spec: { template: { metadata: { labels: { v: '2' } } }, replicas: random(4) } }),
          () => remove(s, one(policies)),
        ])();
      return { nodes: threeNodes, objects, changes: [objects.map(change), objects.map(change)], settle: 14_000 };
    },
    daemonset() {
      const tolerations = [[{ operator: 'Exists' }], [{ key: 'dedicated', operator: 'Equal', value: 'x', effect: 'NoSchedule' }]];
      const nodes = [
        threeNodes[0],
        { ...threeNodes[1], taints: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }] },
        { ...threeNodes[2], ...maybe('unschedulable', [true]) },
      ];
      const objects = times(batch, (at) =>
        object('apps/v1', 'DaemonSet', `n${at}`, {
          selector: selector(`n${at}`),
          template: template(`n${at}`, {
            ...maybe('nodeSelector', [{ zone: 'a' }, { disk: 'hdd' }]),
            ...maybe('tolerations', tolerations),
          }),
          ...maybe('updateStrategy', [
            { type: 'OnDelete' },
            { type: 'RollingUpdate', rollingUpdate: { maxSurge: one([1, '50%']), maxUnavailable: 0 } },
            { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: one([1, 2, '100%']) } },
          ]),
          ...maybe('minReadySeconds', [1]),
          ...maybe('revisionHistoryLimit', [0, 1]),
        }),
      );
      const change = (d) =>
        one([
          () => patch(d, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } }),
          () => patch(d, { spec: { template: { spec: { nodeSelector: { zone: one(['a', 'b']) } } } } }),
          () => patch(d, { spec: { template: { spec: { tolerations: one(tolerations) } } } }),
          () => patch(d, { spec: { minReadySeconds: 1 } }),
          () => remove(d, one(policies)),
        ])();
      return { nodes, objects, changes: [objects.map(change), objects.map(change)] };
    },
    job() {
      const objects = times(batch, (at) => {
        const completionMode = one(['Indexed', 'NonIndexed']);
        const indexed = completionMode === 'Indexed';
        return object('batch/v1', 'Job', `j${at}`, {
          completionMode,
          completions: 1 + random(4),
          parallelism: random(4),
          ...maybe('backoffLimit', [0, 1, 6]),
          ...maybe('suspend', [true]),
          ...maybe('activeDeadlineSeconds', [2, 100]),
          ...maybe('ttlSecondsAfterFinished', [0, 3, 100]),
          ...maybe('podReplacementPolicy', ['Failed', 'TerminatingOrFailed']),
          ...(indexed ? maybe('backoffLimitPerIndex', [0, 1]) : {}),
          ...(indexed ? maybe('successPolicy', [{ rules: [{ succeededCount: 1 }] }, { rules: [{ succeededIndexes: '0' }] }]) : {}),
          template: { spec: { ...template('x', maybe('nodeSelector', [{ zone: 'a' }, { zone: 'none' }])).spec, restartPolicy: 'Never' } },
        });
      });
      const change = (j) =>
        one([
          () => patch(j, { spec: { suspend: random(2) === 0 } }),
          () => patch(j, { spec: { parallelism: random(4) } }),
          () => patch(j, { spec: { completions: 2, parallelism: 2 } }),
          () => patch(j, { spec: { activeDeadlineSeconds: 1 } }),
          () => patch(j, { metadata: { labels: { a: 'b' } } }),
          () => remove(j, one(policies)),
        ])();
      return { nodes: threeNodes, objects, changes: [objects.map(change), objects.map(change)] };
    },
    scheduler() {
      const terms = (weighted) => {
        const expression = one([
          { key: 'zone', operator: 'In', values: [one(['a', 'b', 'c'])] },
          { key: 'disk', operator: one(['Exists', 'DoesNotExist']) },
          { key: 'zone', operator: 'NotIn', values: ['a'] },
        ]);
        return weighted
          ? [{ weight: 1, preference: { matchExpressions: [expression] } }]
          : { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
      };
      const podTerm = () => [
        { topologyKey: one(['zone', 'kubernetes.io/hostname', 'absent']), labelSelector: { matchLabels: { app: one(['a', 'b']) } } },
      ];
      const nodes = threeNodes.map((node) => ({
        ...node,
        ...maybe('taints', [[{ key: 't', value: 'x', effect: 'NoSchedule' }], [{ key: 't', effect: 'PreferNoSchedule' }]]),
      }));
      const objects = times(8, (at) =>
        pod(
          `p${at}`,
          {
            resources: {
              requests: { cpu: one(['100m', '2', '3', '5']), ...maybe('memory', ['1Gi', '9Gi']), ...maybe('example.com/x', []) },
            },
            ...maybe('ports', [[{ containerPort: 80, hostPort: 8080 }]]),
          },
          {
            ...maybe('tolerations', [[{ key: 't', operator: 'Exists' }]]),
            ...maybe('nodeSelector', [{ zone: 'b' }, { disk: 'ssd' }]),
            ...maybe('affinity', [
              { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms(false) } },
              { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: podTerm() } },
              { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: podTerm() } },
            ]),
            ...maybe('topologySpreadConstraints', [
              [
                {
                  maxSkew: 1,
                  topologyKey: one(['zone', 'absent']),
                  whenUnsatisfiable: 'DoNotSchedule',
                  labelSelector: { matchLabels: { app: 'a' } },
                },
              ],
            ]),
            ...maybe('schedulingGates', [[{ name: 'example.com/g' }]]),
          },
          { labels: { app: one(['a', 'b']) } },
        ),
      );
      return {
        nodes,
        objects,
        changes: [[remove(one(objects)), patch(one(objects), { metadata: { labels: { app: 'b' } } })]],
        oneByOne: true,
      };
    },
    endpoints() {
      const services = times(5, (at) =>
        object('v1', 'Service', `s${at}`, {
          selector: { app: one(['a', 'b', 'c']) },
          ...maybe('clusterIP', ['None']),
          ...maybe('publishNotReadyAddresses', [true]),
          ports: [
            { name: 'web', port: 80, targetPort: one([80, 'http', 'absent']) },
            ...(random(2) === 0 ? [{ name: 'dns', port: 53, protocol: 'UDP', targetPort: one([53, 'dns']) }] : []),
          ],
        }),
      );
      const pods = times(4, (at) =>
        pod(
          `p${at}`,
          {
            ports: [
              { name: 'http', containerPort: 8080 + at },
              { name: 'dns', containerPort: 53, protocol: 'UDP' },
            ],
          },
          {
            ...maybe('hostname', ['h']),
            ...maybe('subdomain', ['s0', 's1']),
            ...maybe('readinessGates', [[{ conditionType: 'example.com/g' }]]),
          },
          { labels: { app: one(['a', 'b']) } },
        ),
      );
      const change = () =>
        one([
          () => patch(one(pods), { metadata: { labels: { app: one(['a', 'b', 'c']) } } }),
          () => patch(one(services), { spec: { selector: { app: one(['a', 'b', 'c']) } } }),
          () => patch(one(services), { spec: { ports: [{ name: 'other', port: 81, targetPort: 'http' }] } }),
          () => patch(one(services), { spec: { publishNotReadyAddresses: true } }),
          () => patch(one(services), { metadata: { labels: { l: 'm' }, annotations: { n: 'o' } } }),
          () => remove(one(pods)),
          () => remove(one(services)),
        ])();
      return { nodes: threeNodes, objects: [...services, ...pods], changes: [times(4, change), times(3, change)] };
    },
    pdb() {
      const deployments = times(3, (at) =>
        object('apps/v1', 'Deployment', `d${at}`, { replicas: random(5), selector: selector(`d${at}`), template: template(`d${at}`) }),
      );
      const budgets = times(5, (at) =>
        object('policy/v1', 'PodDisruptionBudget', `b${at}`, {
          ...(random(2) === 0 ? { minAvailable: one([0, 1, 3, '50%', '100%']) } : { maxUnavailable: one([0, 1, '30%', '100%']) }),
          ...maybe('selector', [
            selector(`d${random(3)}`),
            {},
            { matchExpressions: [{ key: 'app', operator: 'In', values: ['d0', 'd1'] }] },
          ]),
          ...maybe('unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget']),
        }),
      );
      const change = () =>
        one([
          () => patch(one(deployments), { spec: { replicas: random(5) } }),
          () => patch(one(budgets), { spec: { selector: selector(`d${random(3)}`) } }),
          () => remove(one(deployments)),
          () => remove(one(budgets)),
        ])();
      return { nodes: threeNodes, objects: [...deployments, ...budgets], changes: [times(3, change), times(2, change)] };
    },
    quota() {
      const quotas = times(4, (at) =>
        object('v1', 'ResourceQuota', `q${at}`, {
          hard: Object.fromEntries(
            times(3, () => [
              one([
                'pods',
                'requests.cpu',
                'limits.memory',
                'count/deployments.apps',
                'count/configmaps',
                'services',
                'secrets',
                'persistentvolumeclaims',
              ]),
              '100',
            ]),
          ),
        }),
      );
      const pods = times(3, (at) =>
        pod(`p${at}`, { resources: { requests: { cpu: '100m' }, limits: { memory: one(['64Mi', '1Gi']), cpu: '1' } } }),
      );
      const maps = times(2, (at) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${at}` }, data: { a: 'b' } }));
      const services = times(2, (at) => object('v1', 'Service', `s${at}`, { ports: [{ port: 80 }] }));
      const all = [...pods, ...maps, ...services];
      return {
        nodes: threeNodes,
        objects: [...quotas, ...all],
        changes: [[remove(one(all)), patch(one(quotas), { spec: { hard: { services: '5' } } })], [remove(one(all))]],
      };
    },
    gc() {
      const names = times(10, (at) => `c${at}`);
      const objects = names.map((name, at) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, at }));
      const steps = objects.map(({ at, ...config }) => {
        const owners = at === 0 || random(4) === 0 ? [] : [random(at), ...(random(4) === 0 ? [random(at)] : [])];
        const refs = [...new Set(owners)].map((owner) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: `c${owner}`,
          uid: random(8) === 0 ? '00000000-0000-0000-0000-000000000000' : `{uid${owner}}`,
          ...maybe('blockOwnerDeletion', [true, false]),
          ...maybe('controller', [false]),
        }));
        const metadata = {
          ...config.metadata,
          ...(refs.length > 0 ? { ownerReferences: refs } : {}),
          ...(random(8) === 0 ? { finalizers: ['example.com/x'] } : {}),
        };
        return {
          do: { method: 'POST', path: collectionOf('ConfigMap'), json: { ...config, metadata } },
          save: { [`uid${at}`]: '/metadata/uid' },
        };
      });
      const configMap = () => ({ kind: 'ConfigMap', metadata: { name: one(names) } });
      return {
        steps,
        objects: [],
        changes: [[remove(configMap(), one(policies))], [remove(configMap(), one(policies)), remove(configMap(), one(policies))]],
      };
    },
    volumes() {
      const classes = ['fast', ''];
      const volumes = times(4, (at) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `v${at}-{run}`, labels: { l: one(['x', 'y']) } },
        spec: {
          capacity: { storage: one(['1Gi', '2Gi', '5Gi']) },
          accessModes: one([['ReadWriteOnce'], ['ReadWriteMany', 'ReadWriteOnce'], ['ReadOnlyMany']]),
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: `${one(classes)}`,
          ...maybe('volumeMode', ['Block', 'Filesystem']),
          hostPath: { path: '/tmp/x' },
        },
      }));
      const claims = times(4, (at) =>
        object('v1', 'PersistentVolumeClaim', `c${at}`, {
          accessModes: one([['ReadWriteOnce'], ['ReadWriteMany']]),
          resources: { requests: { storage: one(['1Gi', '2Gi', '10Gi']) } },
          storageClassName: one(classes),
          ...maybe('selector', [{ matchLabels: { l: 'x' } }]),
          ...maybe('volumeName', [`v${random(4)}-{run}`]),
        }),
      );
      return { objects: [...volumes, ...claims], changes: [[remove(one(claims))], [remove(one(claims))]], oneByOne: true };
    },
  };
}
