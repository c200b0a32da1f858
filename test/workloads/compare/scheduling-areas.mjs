import { object, patch, play, pod, remove, selector, threeNodes } from './objects.mjs';

/**
 * Areas of scheduling and of nodes. Each returns the nodes, the objects, and the changes of a scenario.
 *
 * @param {ReturnType<typeof import('./objects.mjs').createChoices>} choices
 */
export function schedulingAreas({ random, one, maybe, times }) {
  const some = (list) => list.filter(() => random(2) === 0);

  return {
    nodes() {
      const nodes = threeNodes.map((node) => ({ ...node, by: 'hand' }));
      const key = () => one(['node.kubernetes.io/not-ready', 'node.kubernetes.io/memory-pressure', 'example.com/t', undefined]);
      const objects = times(6, (at) => {
        const tolerationOf = () => {
          const name = key();
          const effect = one(['NoExecute', 'NoSchedule', undefined]);
          return {
            operator: 'Exists',
            ...(name ? { key: name } : {}),
            ...(effect ? { effect } : {}),
            ...(effect === 'NoExecute' ? maybe('tolerationSeconds', [0, 2, 600]) : {}),
          };
        };
        return pod(
          `p${at}`,
          {},
          {
            nodeSelector: { 'kubernetes.io/hostname': `node-${1 + (at % 3)}` },
            ...(random(3) > 0 ? { tolerations: times(1 + random(2), tolerationOf) } : {}),
          },
          { labels: { app: 'p' } },
        );
      });
      const node = () => ({ kind: 'Node', metadata: { name: one(['node-1', 'node-2']) } });
      const condition = (type, status) => ({
        type,
        status,
        reason: 'x',
        message: 'y',
        lastHeartbeatTime: '{now}',
        lastTransitionTime: '{now}',
      });
      const conditions = () => ({
        status: {
          conditions: [
            condition('Ready', one(['True', 'False', 'Unknown'])),
            ...some(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']).map((type) =>
              condition(type, one(['True', 'False', 'Unknown'])),
            ),
          ],
        },
      });
      const taint = () => ({ key: 'example.com/t', effect: one(['NoExecute', 'NoSchedule', 'PreferNoSchedule']) });
      const change = () =>
        one([
          () => patch(node(), conditions(), '/status'),
          () => patch(node(), conditions(), '/status'),
          () => patch(node(), { spec: { taints: [taint()] } }),
          () => patch(node(), { spec: { unschedulable: true } }),
          () => patch(node(), { spec: { taints: null } }),
          () => remove(node()),
        ])();
      return { nodes, showNodes: true, keepNodes: true, objects, changes: [[play('ready', ['p'])], [change()], [change()]], settle: 8_000 };
    },
    preemption() {
      const values = [0, 100, 1000];
      const classes = values.map((value) => ({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: `c${value}-{run}` },
        value,
        ...(value === 1000 ? maybe('preemptionPolicy', ['Never']) : {}),
      }));
      const podOf = (name, value) =>
        pod(
          name,
          { resources: { requests: { cpu: one(['1', '1500m', '2', '3']) } }, ...maybe('ports', [[{ containerPort: 80, hostPort: 8080 }]]) },
          {
            priorityClassName: `c${value}-{run}`,
            // One node for each, since the choice between nodes is arbitrary.
            nodeSelector: { 'kubernetes.io/hostname': one(['node-1', 'node-2']) },
            ...(random(4) === 0
              ? {
                  affinity: {
                    podAntiAffinity: {
                      requiredDuringSchedulingIgnoredDuringExecution: [
                        { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'low' } } },
                      ],
                    },
                  },
                }
              : {}),
          },
          { labels: { app: value < 1000 ? one(['low', 'mid']) : 'high' } },
        );
      const budget = object('policy/v1', 'PodDisruptionBudget', 'b', { selector: selector('low'), minAvailable: one([0, 1, '100%']) });
      const low = times(6, (at) => podOf(`low-${at}`, one([0, 100])));
      const high = times(4, (at) => podOf(`high-${at}`, one([100, 1000])));
      return {
        nodes: threeNodes,
        keepNodes: true,
        objects: [...classes, budget, ...low, ...high],
        changes: [[remove(one(high))]],
        oneByOne: true,
      };
    },
    scores() {
      const nodes = threeNodes.map((node, at) => ({
        ...node,
        allocatable: { cpu: String(4 + at), memory: `${8 + 2 * at}Gi`, pods: '110' },
      }));
      const preferred = () => ({
        weight: one([1, 50, 100]),
        preference: {
          matchExpressions: [
            one([
              { key: 'zone', operator: 'In', values: ['b'] },
              { key: 'disk', operator: 'Exists' },
              { key: 'zone', operator: 'In', values: ['a'] },
            ]),
          ],
        },
      });
      const podTerm = () => ({
        weight: one([1, 100]),
        podAffinityTerm: { topologyKey: one(['zone', 'kubernetes.io/hostname']), labelSelector: { matchLabels: { app: one(['a', 'b']) } } },
      });
      const spread = () => [
        {
          maxSkew: 1,
          topologyKey: one(['zone', 'kubernetes.io/hostname']),
          whenUnsatisfiable: one(['ScheduleAnyway', 'DoNotSchedule']),
          labelSelector: { matchLabels: { app: one(['a', 'b']) } },
        },
      ];
      const objects = times(10, (at) =>
        pod(
          `p${at}`,
          { resources: { requests: { cpu: one(['100m', '500m', '1']), memory: one(['128Mi', '1Gi', '2Gi']) } } },
          {
            ...maybe('affinity', [
              { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: times(1 + random(2), preferred) } },
              { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [podTerm()] } },
              { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [podTerm()] } },
            ]),
            ...(random(3) === 0 ? { topologySpreadConstraints: spread() } : {}),
          },
          { labels: { app: one(['a', 'b']) } },
        ),
      );
      return { nodes, keepNodes: true, objects, changes: [], oneByOne: true };
    },
    storage() {
      const modes = ['Immediate', 'WaitForFirstConsumer'];
      const classes = modes.map((mode, at) => ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: `class${at}-{run}` },
        provisioner: one(['kubernetes.io/no-provisioner', 'example.com/disk']),
        volumeBindingMode: mode,
        ...maybe('allowVolumeExpansion', [true]),
        ...maybe('reclaimPolicy', ['Retain', 'Delete']),
      }));
      const className = () => `class${random(2)}-{run}`;
      const volumes = times(4, (at) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `v${at}-{run}` },
        spec: {
          capacity: { storage: one(['1Gi', '2Gi', '5Gi']) },
          accessModes: one([['ReadWriteOnce'], ['ReadWriteOncePod'], ['ReadWriteMany', 'ReadWriteOnce']]),
          persistentVolumeReclaimPolicy: one(['Retain', 'Delete']),
          storageClassName: className(),
          local: { path: '/mnt' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [one(['node-1', 'node-2', 'node-9'])] }] },
              ],
            },
          },
        },
      }));
      const claims = times(4, (at) =>
        object('v1', 'PersistentVolumeClaim', `c${at}`, {
          accessModes: [one(['ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod'])],
          resources: { requests: { storage: one(['1Gi', '2Gi', '10Gi']) } },
          storageClassName: className(),
        }),
      );
      const users = times(4, (at) =>
        pod(`p${at}`, {}, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: random(8) === 0 ? 'absent' : `c${random(4)}` } }] }),
      );
      const change = () =>
        one([
          () => remove(one(claims)),
          () => remove(one(users)),
          () => patch(one(claims), { spec: { resources: { requests: { storage: '20Gi' } } } }),
          () => remove(one(volumes)),
        ])();
      return {
        nodes: threeNodes,
        keepNodes: true,
        objects: [...classes, ...volumes, ...claims, ...users],
        changes: [[change()], [change(), change()]],
        oneByOne: true,
        settle: 17_000,
      };
    },
    devices() {
      const driver = 'gpu.example.com';
      const deviceClass = {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'DeviceClass',
        metadata: { name: 'gpu-{run}' },
        spec: {
          selectors: [{ cel: { expression: `device.driver == "${driver}"` } }],
          ...maybe('config', [[{ opaque: { driver, parameters: { a: 'b' } } }]]),
        },
      };
      const slices = threeNodes.map(({ name }) => ({
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceSlice',
        metadata: { name: `${name}-{run}` },
        spec: {
          driver,
          pool: { name, generation: 1, resourceSliceCount: 1 },
          ...(random(5) === 0 ? { allNodes: true } : { nodeName: name }),
          devices: times(1 + random(3), (at) => ({
            name: `gpu-${at}`,
            attributes: { model: { string: one(['x', 'y']) }, index: { int: at }, numa: { int: random(2) } },
            capacity: { memory: { value: one(['8Gi', '16Gi']) } },
            ...(random(6) === 0 ? { taints: [{ key: 'example.com/t', effect: one(['NoSchedule', 'NoExecute']) }] } : {}),
          })),
        },
      }));
      const exact = () => ({
        deviceClassName: random(10) === 0 ? 'absent' : 'gpu-{run}',
        ...(random(3) === 0 ? { allocationMode: 'All' } : maybe('count', [1, 2])),
        ...maybe('selectors', [
          [{ cel: { expression: `device.attributes["${driver}"].model == "x"` } }],
          [{ cel: { expression: `device.capacity["${driver}"].memory.compareTo(quantity("10Gi")) > 0` } }],
          [{ cel: { expression: `device.attributes["${driver}"].absent == "x"` } }],
        ]),
        ...(random(4) === 0 ? { tolerations: [{ key: 'example.com/t', operator: 'Exists' }] } : {}),
      });
      const spec = () => ({
        devices: {
          requests: times(1 + random(2), (at) =>
            random(4) === 0
              ? { name: `r${at}`, firstAvailable: times(2, (sub) => ({ name: `s${sub}`, ...exact() })) }
              : { name: `r${at}`, exactly: exact() },
          ),
          ...maybe('config', [
            [{ opaque: { driver, parameters: { c: 'd' } } }],
            [{ requests: ['r0'], opaque: { driver, parameters: { c: 'd' } } }],
            [{ requests: ['r0'], opaque: { driver, parameters: { e: 'f' } } }],
          ]),
          ...maybe('constraints', [[{ matchAttribute: `${driver}/numa` }], [{ matchAttribute: `${driver}/model` }]]),
        },
      });
      const claims = times(3, (at) => object('resource.k8s.io/v1', 'ResourceClaim', `c${at}`, spec()));
      const templates = times(2, (at) => object('resource.k8s.io/v1', 'ResourceClaimTemplate', `t${at}`, { spec: spec() }));
      const pods = times(5, (at) => {
        const source = random(2) === 0 ? { resourceClaimName: `c${random(3)}` } : { resourceClaimTemplateName: `t${random(2)}` };
        return pod(
          `p${at}`,
          { resources: { claims: [{ name: 'd' }] } },
          { resourceClaims: [{ name: 'd', ...source }], ...maybe('nodeSelector', [{ zone: 'a' }]) },
        );
      });
      return {
        nodes: threeNodes,
        keepNodes: true,
        objects: [deviceClass, ...slices, ...claims, ...templates, ...pods],
        changes: [[remove(one(pods)), remove(one(claims))]],
        oneByOne: true,
      };
    },
    hints() {
      const zone = 'topology.kubernetes.io/zone';
      const nodes = threeNodes.map((node, at) => ({
        ...node,
        labels: { [zone]: one(['a', 'b', 'c']), ...(at === 0 ? { [zone]: 'a' } : {}) },
      }));
      const distribution = () => one(['PreferClose', 'PreferSameZone', 'PreferSameNode', null]);
      const services = times(3, (at) =>
        object('v1', 'Service', `s${at}`, {
          selector: { app: one(['a', 'b']) },
          ports: [{ port: 80 }],
          ...maybe('clusterIP', ['None']),
          trafficDistribution: distribution(),
          ...maybe('internalTrafficPolicy', ['Local']),
        }),
      );
      const pods = times(6, (at) =>
        pod(`p${at}`, {}, { nodeSelector: { 'kubernetes.io/hostname': `node-${1 + random(3)}` } }, { labels: { app: one(['a', 'b']) } }),
      );
      const change = () =>
        one([
          () => patch(one(services), { spec: { trafficDistribution: distribution() } }),
          () => patch(one(pods), { metadata: { labels: { app: one(['a', 'b']) } } }),
          () => remove(one(pods)),
        ])();
      return { nodes, keepNodes: true, objects: [...services, ...pods], changes: [times(2, change), times(2, change)], settle: 4_000 };
    },
  };
}
