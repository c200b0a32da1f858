import { collectionOf, object, patch, pathOf, play, pod, policies, remove, removeAt, selector } from './objects.mjs';

/** The replayer writes the statuses of these pods. */
const byHand = { schedulerName: 'by-hand' };
/** The default of --horizontal-pod-autoscaler-sync-period. */
const autoscalerSyncMs = 15_000;

/**
 * Areas of controllers alone: the replayer writes the statuses of pods. Each returns the objects and the changes of a scenario.
 *
 * @param {ReturnType<typeof import('./objects.mjs').createChoices>} choices
 */
export function controllerAreas({ random, one, maybe, times, template, rolling }) {
  const some = (list) => list.filter(() => random(2) === 0);

  return {
    availability() {
      const apps = times(4, (at) => `w${at}`);
      const objects = apps.map((app, at) => {
        const kind = one(['Deployment', 'StatefulSet', 'ReplicaSet']);
        const spec = {
          replicas: at === 0 ? 3 : random(4),
          selector: selector(app),
          template: template(app, byHand),
          ...maybe('minReadySeconds', [1, 3]),
        };
        if (kind === 'Deployment') Object.assign(spec, maybe('strategy', [{ type: 'RollingUpdate', rollingUpdate: rolling() }]));
        if (kind === 'StatefulSet') Object.assign(spec, { serviceName: app, podManagementPolicy: one(['Parallel', 'OrderedReady']) });
        return object('apps/v1', kind, app, spec);
      });
      const image = (w) => patch(w, { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } } } });
      const state = () => one(['ready', 'ready', 'running', 'unready', 'failed', 'succeeded']);
      const stateOf = () => play(state(), ['w0', ...some(apps.slice(1))]);
      return {
        objects,
        changes: [
          [play('ready', apps)],
          [stateOf(), image(one(objects))],
          [stateOf(), patch(one(objects), { spec: { replicas: random(4) } })],
          [play('ready', apps)],
        ],
      };
    },
    failures() {
      const jobs = times(6, (at) => `j${at}`);
      const objects = jobs.map((name) => {
        const indexed = random(2) === 0;
        const rules = [
          { action: one(['FailJob', 'Ignore', 'Count']), onExitCodes: { operator: one(['In', 'NotIn']), values: [42] } },
          { action: one(['FailJob', 'Ignore', 'Count']), onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          ...(indexed ? [{ action: 'FailIndex', onExitCodes: { containerName: 'c', operator: 'In', values: [1] } }] : []),
        ];
        const policy = indexed && random(2) === 0;
        return object('batch/v1', 'Job', name, {
          completionMode: indexed ? 'Indexed' : 'NonIndexed',
          completions: 1 + random(4),
          parallelism: 1 + random(3),
          ...(policy ? { backoffLimitPerIndex: random(2), ...maybe('maxFailedIndexes', [0, 1, 2]) } : maybe('backoffLimit', [0, 1, 2])),
          ...maybe('podFailurePolicy', [{ rules: policy ? rules : rules.slice(0, 2) }]),
          ...(indexed ? maybe('successPolicy', [{ rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] }]) : {}),
          template: { spec: { ...template('x', byHand).spec, restartPolicy: 'Never' } },
        });
      });
      const disrupted = { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: '{now}' }] };
      const state = () => one(['succeeded', 'failed 1', 'failed 42', disrupted, 'ready']);
      const label = 'batch.kubernetes.io/job-name';
      return {
        objects,
        changes: [
          [play(state(), ['j0', ...some(jobs)], label)],
          ...times(2, () => [play(state(), [one(jobs)], label), play(state(), [one(jobs)], label)]),
        ],
        settle: 16_000,
      };
    },
    cronjob() {
      const objects = times(6, (at) =>
        object('batch/v1', 'CronJob', `c${at}`, {
          schedule: one(['* * * * *', '*/1 * * * *', '0 0 30 2 *', '* * * * 0-6']),
          ...maybe('concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
          ...maybe('suspend', [true]),
          ...maybe('startingDeadlineSeconds', [10, 300]),
          ...maybe('successfulJobsHistoryLimit', [0, 1]),
          ...maybe('failedJobsHistoryLimit', [0, 1]),
          ...maybe('timeZone', ['Europe/Berlin', 'Etc/UTC']),
          jobTemplate: {
            metadata: { labels: { cron: `c${at}` } },
            spec: {
              backoffLimit: 0,
              template: { metadata: { labels: { cron: `c${at}` } }, spec: { ...template('x', byHand).spec, restartPolicy: 'Never' } },
            },
          },
        }),
      );
      objects[0].spec.schedule = '* * * * *';
      delete objects[0].spec.suspend;
      const change = (c) =>
        one([
          () => patch(c, { spec: { suspend: random(2) === 0 } }),
          () => patch(c, { spec: { concurrencyPolicy: one(['Allow', 'Forbid', 'Replace']) } }),
          () => patch(c, { spec: { jobTemplate: { metadata: { annotations: { a: 'b' } } } } }),
          () => remove(c, one(policies)),
        ])();
      const all = objects.map(({ metadata }) => metadata.name);
      return {
        objects,
        changes: [[play(one(['succeeded', 'failed 1', 'ready']), ['c0', ...some(all)], 'cron')], objects.slice(1).map(change)],
        settle: 62_000,
        needs: ['time'],
      };
    },
    autoscaler() {
      const targets = times(4, (at) =>
        object('apps/v1', 'StatefulSet', `s${at}`, {
          replicas: 2,
          serviceName: `s${at}`,
          podManagementPolicy: 'Parallel',
          selector: selector(`s${at}`),
          template: {
            metadata: { labels: { app: `s${at}` } },
            spec: {
              ...byHand,
              containers: [{ name: 'c', image: 'i', resources: { requests: one([{ cpu: '100m', memory: '100Mi' }, { cpu: '100m' }]) } }],
            },
          },
        }),
      );
      const usage = () => ({ cpu: one(['0', '10m', '100m', '145m', '400m']), memory: one(['10Mi', '100Mi', '1Gi']) });
      const names = targets.flatMap(({ metadata }) => times(2, (at) => `${metadata.name}-${at}`));
      const metrics = names.map((name) => ({
        apiVersion: 'metrics.k8s.io/v1beta1',
        kind: 'PodMetrics',
        metadata: { name, labels: { app: name.slice(0, 2) } },
        timestamp: '{now}',
        window: '1s',
        containers: [{ name: one(['c', 'c', 'c', 'other']), usage: usage() }],
      }));
      const target = () =>
        one([
          { type: 'Utilization', averageUtilization: one([10, 50, 100]) },
          { type: 'AverageValue', averageValue: one(['50m', '100m', '1']) },
        ]);
      const metric = () => {
        const name = one(['cpu', 'cpu', 'memory']);
        return random(4) === 0
          ? { type: 'ContainerResource', containerResource: { name, container: one(['c', 'c', 'absent']), target: target() } }
          : { type: 'Resource', resource: { name, target: target() } };
      };
      const scalers = targets.map(({ metadata }, at) =>
        object('autoscaling/v2', 'HorizontalPodAutoscaler', `h${at}`, {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: random(8) === 0 ? 'absent' : metadata.name },
          ...maybe('minReplicas', [1, 2, 3]),
          maxReplicas: 3 + random(3),
          metrics: times(1 + random(2), metric),
          ...maybe('behavior', [
            { scaleDown: { stabilizationWindowSeconds: 0 } },
            { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] }, scaleDown: { selectPolicy: 'Disabled' } },
            { scaleUp: { tolerance: '500m' } },
          ]),
        }),
      );
      const unready = random(2) === 0 ? [play('unready', ['s0'])] : [];
      return {
        nodes: [],
        alone: true,
        needs: ['time'],
        cluster: [metricsDefinition],
        plurals: { PodMetrics: { plural: 'pods' } },
        objects: targets,
        changes: [
          [play('ready', ['s0', 's1', 's2', 's3']), { wait: 2500 }, { create: metrics.filter(() => random(6) > 0) }, { create: scalers }],
          [...unready, patch(one(scalers), { spec: { minReplicas: 3 } }), patch(one(targets), { spec: { replicas: one([0, 1, 5]) } })],
        ],
        settle: autoscalerSyncMs + 5_000,
      };
    },
    claims() {
      const objects = times(4, (at) =>
        object('apps/v1', 'StatefulSet', `s${at}`, {
          replicas: 1 + random(3),
          serviceName: `s${at}`,
          podManagementPolicy: one(['Parallel', 'OrderedReady']),
          selector: selector(`s${at}`),
          template: template(`s${at}`, byHand),
          volumeClaimTemplates: times(1, (claim) => ({
            metadata: { name: `d${claim}`, ...maybe('labels', [{ l: 'm' }]) },
            spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } },
          })),
          ...maybe('persistentVolumeClaimRetentionPolicy', [
            { whenDeleted: one(['Delete', 'Retain']), whenScaled: one(['Delete', 'Retain']) },
          ]),
        }),
      );
      const apps = objects.map(({ metadata }) => metadata.name);
      const change = (s) =>
        one([
          () => patch(s, { spec: { replicas: random(4) } }),
          () =>
            patch(s, {
              spec: {
                persistentVolumeClaimRetentionPolicy: { whenDeleted: one(['Delete', 'Retain']), whenScaled: one(['Delete', 'Retain']) },
              },
            }),
          () => patch(s, { spec: { template: { metadata: { labels: { v: '2' } } } } }),
          () => remove(s, one(policies)),
          () => remove({ kind: 'PersistentVolumeClaim', metadata: { name: `d0-${s.metadata.name}-0` } }),
        ])();
      return { objects, changes: [[play('ready', apps)], objects.map(change), [change(one(objects))]], settle: 6_000 };
    },
    mirroring() {
      const services = times(4, (at) =>
        object(
          'v1',
          'Service',
          `s${at}`,
          {
            ports: [{ name: 'web', port: 80 }],
            ...maybe('clusterIP', ['None']),
            ...(random(3) === 0 ? { selector: { app: 'absent' } } : {}),
          },
          maybe('labels', [{ l: 'm' }]),
        ),
      );
      const address = (at) => ({
        ip: `192.0.2.${at}`,
        ...maybe('hostname', ['h']),
        ...maybe('nodeName', ['node-1']),
        ...maybe('targetRef', [{ kind: 'Pod', name: 'p', namespace: '{ns}' }]),
      });
      const subsets = () =>
        times(random(3), (subset) => ({
          ...maybe('addresses', [times(1 + random(3), (at) => address(10 * subset + at + 1))]),
          ...maybe('notReadyAddresses', [times(1 + random(2), (at) => address(10 * subset + at + 5))]),
          ports: times(1 + random(2), (at) => ({
            name: `p${at}`,
            port: 80 + at,
            ...maybe('protocol', ['UDP']),
            ...maybe('appProtocol', ['http']),
          })),
        })).filter(({ addresses, notReadyAddresses }) => addresses || notReadyAddresses);
      const endpoints = times(5, (at) => ({
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: {
          name: `s${at}`,
          ...maybe('labels', [{ a: 'b' }, { 'endpointslice.kubernetes.io/skip-mirror': 'true' }, { 'service.kubernetes.io/headless': '' }]),
          ...maybe('annotations', [{ c: 'd' }, { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' }]),
        },
        subsets: subsets(),
      }));
      const change = () =>
        one([
          () => patch(one(endpoints), { subsets: subsets() }),
          () => patch(one(endpoints), { metadata: { labels: { x: 'y' }, annotations: { z: 'w' } } }),
          () => patch(one(services), { metadata: { labels: { x: 'y' } } }),
          () => patch(one(services), { spec: { selector: one([null, { app: 'absent' }]) } }),
          () => remove(one(endpoints)),
          () => remove(one(services)),
        ])();
      return { objects: [...services, ...endpoints], changes: [times(3, change), times(3, change)], settle: 4_000 };
    },
    zones() {
      const nodes = times(3 + random(3), (at) => ({
        name: `node-${at}`,
        by: 'hand',
        allocatable: { cpu: one(['1', '2', '4', '500m']), memory: '8Gi', pods: '110' },
        labels: {
          ...(random(12) === 0 ? {} : { 'topology.kubernetes.io/zone': `z${at % 3}` }),
          ...(random(12) === 0 ? { 'node-role.kubernetes.io/control-plane': '' } : {}),
        },
      }));
      const annotations = () => ({
        ...maybe('service.kubernetes.io/topology-mode', ['Auto', 'Auto', 'auto', 'Disabled']),
        ...(random(6) === 0 ? { 'service.kubernetes.io/topology-aware-hints': one(['Auto', 'Disabled']) } : {}),
      });
      const distribution = () => one([undefined, undefined, 'PreferClose', 'PreferSameZone', 'PreferSameNode']);
      const services = times(3, (at) =>
        object(
          'v1',
          'Service',
          `s${at}`,
          { selector: { app: `a${at}` }, ports: [{ port: 80 }], trafficDistribution: distribution() },
          { annotations: annotations() },
        ),
      );
      const pods = times(15, (at) =>
        pod(`p${at}`, {}, { ...byHand, nodeName: one(nodes).name }, { labels: { app: `a${one([0, 0, 0, 1, 2])}`, of: `p${at}` } }),
      );
      const change = () =>
        one([
          () => patch(one(services), { metadata: { annotations: { 'service.kubernetes.io/topology-mode': one(['Auto', null]) } } }),
          () => patch(one(services), { spec: { trafficDistribution: distribution() ?? null } }),
          () => patch(one(services), { metadata: { labels: { x: one(['y', 'z']) } } }),
          () => play('unready', [one(pods).metadata.name], 'of'),
          () => remove(one(pods)),
          () => patch({ kind: 'Node', metadata: one(nodes) }, { metadata: { labels: { 'topology.kubernetes.io/zone': 'z0' } } }),
          () => remove({ kind: 'Node', metadata: one(nodes) }),
        ])();
      const ready = play('ready', ['a0', 'a1', 'a2']);
      return { nodes, objects: [...services, ...pods], changes: [[ready], [change()], times(2, change), times(2, change)], settle: 3_500 };
    },
    certificates() {
      const signers = [
        'kubernetes.io/kube-apiserver-client',
        'kubernetes.io/kube-apiserver-client-kubelet',
        'kubernetes.io/kubelet-serving',
        'kubernetes.io/legacy-unknown',
        'example.com/mine',
      ];
      const usages = ['client auth', 'server auth', 'digital signature', 'key encipherment'];
      const objects = times(8, (at) => ({
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: `c${at}-{run}` },
        spec: {
          request: one(certificateRequests),
          signerName: one(signers),
          usages: [...new Set([one(usages), ...some(usages)])],
          ...maybe('expirationSeconds', [600, 7200, 86400 * 1000]),
        },
      }));
      const decide = (c) => {
        const type = one(['Approved', 'Approved', 'Denied']);
        return patch(c, { status: { conditions: [{ type, status: 'True', reason: 'ByHand', message: 'm' }] } }, '/approval');
      };
      return { objects, changes: [objects.filter(() => random(4) > 0).map(decide)], settle: 4_000 };
    },
    accounts() {
      const roles = times(3, (at) => ({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `r${at}-{run}`, labels: { [`to-${one(['a', 'b'])}-{run}`]: 'true', ...maybe(`to-c-{run}`, ['true']) } },
        rules: times(1 + random(2), () => ({ apiGroups: [''], resources: [one(['pods', 'secrets'])], verbs: [one(['get', 'list'])] })),
      }));
      const sums = times(2, (at) => ({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `s${at}-{run}`, ...maybe('labels', [{ 'to-c-{run}': 'true' }]) },
        aggregationRule: {
          clusterRoleSelectors: times(1 + random(2), () => ({ matchLabels: { [`to-${one(['a', 'b', 'c'])}-{run}`]: 'true' } })),
        },
        ...maybe('rules', [[{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }]]),
      }));
      const accounts = times(2, (at) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: `a${at}` } }));
      const tokens = times(3, (at) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `t${at}`, annotations: { 'kubernetes.io/service-account.name': one(['a0', 'a1', 'absent']) } },
        type: 'kubernetes.io/service-account-token',
      }));
      const change = () =>
        one([
          () => patch(one(roles), { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['watch'] }] }),
          () => patch(one(roles), { metadata: { labels: { [`to-${one(['a', 'b'])}-{run}`]: 'true' } } }),
          () => patch(one(sums), { rules: [] }),
          () => patch(one(tokens), { data: { token: null } }),
          () => remove(one(roles)),
          () => remove(one(accounts)),
          () => remove(one(tokens)),
          () => remove({ kind: 'ServiceAccount', metadata: { name: 'default' } }),
        ])();
      const also = sums.map((sum) => pathOf(sum));
      return { also, objects: [...roles, ...sums, ...accounts, ...tokens], changes: [times(2, change), times(2, change)], settle: 3_000 };
    },
    scopes() {
      const scopes = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'CrossNamespacePodAffinity'];
      const selectorOf = () => {
        const scopeName = one(scopes);
        return scopeName === 'PriorityClass'
          ? {
              scopeName,
              ...one([
                { operator: 'Exists' },
                { operator: 'DoesNotExist' },
                { operator: 'In', values: ['c-{run}'] },
                { operator: 'NotIn', values: ['c-{run}'] },
              ]),
            }
          : { scopeName, operator: 'Exists' };
      };
      const hard = () =>
        Object.fromEntries(
          times(2, () => [one(['pods', 'requests.cpu', 'limits.memory', 'cpu', 'requests.ephemeral-storage', 'count/pods']), '100']),
        );
      const quotas = times(6, (at) =>
        object('v1', 'ResourceQuota', `q${at}`, {
          hard: { pods: '50', ...(random(2) === 0 ? hard() : {}) },
          ...(random(2) === 0 ? { scopes: [one(scopes)] } : { scopeSelector: { matchExpressions: times(1 + random(2), selectorOf) } }),
        }),
      );
      const priority = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'c-{run}' }, value: 10 };
      const pods = times(5, (at) =>
        pod(
          `p${at}`,
          maybe('resources', [{ requests: { cpu: '100m' } }, { limits: { memory: '1Gi', cpu: '1' }, requests: { cpu: '1' } }]),
          {
            ...byHand,
            ...maybe('activeDeadlineSeconds', [1000]),
            ...maybe('priorityClassName', ['c-{run}']),
            ...(random(4) === 0
              ? {
                  affinity: {
                    podAffinity: {
                      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', namespaces: ['default'], labelSelector: {} }],
                    },
                  },
                }
              : {}),
          },
          { labels: { app: 'p' } },
        ),
      );
      return {
        objects: [priority, ...quotas, ...pods],
        changes: [
          [play(one(['succeeded', 'failed', 'ready']), ['p']), patch(one(pods), { spec: { activeDeadlineSeconds: 500 } })],
          [remove(one(pods))],
        ],
      };
    },
    evictions() {
      const costs = ['-5', '0', '10', 'x'];
      const names = times(5, (at) => `p${at}`);
      const costOf = () =>
        maybe(
          'annotations',
          costs.map((cost) => ({ 'controller.kubernetes.io/pod-deletion-cost': cost })),
        );
      const pods = names.map((name) => pod(name, {}, byHand, { labels: { app: 'p' }, ...costOf() }));
      const set = object('apps/v1', 'ReplicaSet', 'r', { replicas: 4, selector: selector('r'), template: template('r', byHand) });
      const budgets = ['p', 'r'].map((app) =>
        object('policy/v1', 'PodDisruptionBudget', app, {
          selector: selector(app),
          minAvailable: one([0, 1, 3]),
          ...maybe('unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget']),
        }),
      );
      const evict = () => {
        const name = one(names);
        const deleteOptions = maybe('deleteOptions', [{ gracePeriodSeconds: 0 }, { dryRun: ['All'] }]);
        const json = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...deleteOptions };
        return { do: { method: 'POST', path: `${collectionOf('Pod')}/${name}/eviction`, json } };
      };
      const scale = () => patch(set, { spec: { replicas: random(4) } });
      return {
        objects: [...pods, set, ...budgets],
        changes: [
          [play(one(['ready', 'running']), ['p']), play(one(['ready', 'succeeded']), ['r'])],
          [evict(), evict(), scale()],
          times(3, evict),
        ],
        settle: 4_000,
      };
    },
    ephemeral() {
      const claim = () => ({
        ...maybe('metadata', [{ labels: { l: 'm' } }, { annotations: { n: 'o' } }]),
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } },
      });
      const pods = times(4, (at) =>
        pod(
          `p${at}`,
          {},
          { ...byHand, volumes: times(1 + random(2), (volume) => ({ name: `v${volume}`, ephemeral: { volumeClaimTemplate: claim() } })) },
        ),
      );
      const conflict = object('v1', 'PersistentVolumeClaim', 'p0-v0', claim().spec);
      const ofSet = object('apps/v1', 'ReplicaSet', 'r', {
        replicas: 2,
        selector: selector('r'),
        template: template('r', { ...byHand, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: claim() } }] }),
      });
      const change = () =>
        one([
          () => remove(one(pods)),
          () => remove({ kind: 'PersistentVolumeClaim', metadata: { name: `p${1 + random(3)}-v0` } }),
          () => patch(ofSet, { spec: { replicas: random(3) } }),
        ])();
      return { objects: [...(random(2) === 0 ? [conflict] : []), ...pods, ofSet], changes: [times(2, change), [change()]], settle: 5_000 };
    },
    adoption() {
      const owners = times(4, (at) => {
        const kind = one(['ReplicaSet', 'ReplicationController', 'StatefulSet', 'Job']);
        const app = `a${at}`;
        if (kind === 'Job') {
          const labels = { app };
          return object('batch/v1', 'Job', `o${at}`, {
            manualSelector: true,
            selector: { matchLabels: labels },
            parallelism: 2,
            completions: 2,
            template: { metadata: { labels }, spec: { ...template(app, byHand).spec, restartPolicy: 'Never' } },
          });
        }
        const spec = { replicas: 1 + random(3), selector: selector(app), template: template(app, byHand) };
        if (kind === 'ReplicationController') return object('v1', kind, `o${at}`, { ...spec, selector: { app } });
        return object('apps/v1', kind, `o${at}`, kind === 'StatefulSet' ? { ...spec, serviceName: 's' } : spec);
      });
      const pods = times(3, (at) => pod(one([`p${at}`, `o${at}-0`]), {}, byHand, { labels: { app: `a${random(5)}` } }));
      const change = () =>
        one([
          () => patch(one(pods), { metadata: { labels: { app: `a${random(5)}` } } }),
          () => remove(one(pods)),
          () => remove(one(owners), one(policies)),
          () => patch(one(owners), { metadata: { labels: { x: 'y' } } }),
        ])();
      return { objects: [...pods, ...owners], changes: [times(2, change), times(2, change)], settle: 5_000 };
    },
    restoration() {
      const ports = [{ port: 80 }];
      const objects = [
        object('apps/v1', 'Deployment', 'd', { replicas: 1, selector: selector('d'), template: template('d', byHand) }),
        object('apps/v1', 'ReplicaSet', 'r', { replicas: 2, selector: selector('r'), template: template('r', byHand) }),
        object('apps/v1', 'StatefulSet', 's', {
          replicas: 2,
          serviceName: 's',
          podManagementPolicy: one(['Parallel', 'OrderedReady']),
          selector: selector('s'),
          template: template('s', byHand),
          volumeClaimTemplates: [
            {
              metadata: { name: 'c' },
              spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } },
            },
          ],
        }),
        object('batch/v1', 'Job', 'j', {
          parallelism: 2,
          completions: 3,
          template: { spec: { ...template('j', byHand).spec, restartPolicy: 'Never' } },
        }),
        object('v1', 'Service', 'v', { selector: { app: 'd' }, ports, ...maybe('clusterIP', ['None']) }),
        object('v1', 'Service', 'w', { selector: { app: 'absent' }, ports }),
      ];
      const collections = [
        '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
        '/api/v1/namespaces/{ns}/endpoints',
        '/apis/apps/v1/namespaces/{ns}/replicasets',
        '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
        '/api/v1/namespaces/{ns}/pods',
        '/api/v1/namespaces/{ns}/persistentvolumeclaims',
        '/api/v1/namespaces/{ns}/configmaps',
      ];
      const removeAll = () => removeAt(one(collections), one(policies));
      const apps = ['d', 'r', 's'];
      return {
        objects,
        changes: [[play('ready', apps)], [removeAll()], [removeAll()], [play('ready', apps)], [removeAll()]],
        settle: 6_000,
      };
    },
    namespaces() {
      const ns = 'gone-{run}';
      const inside = (o) => ({ ...o, metadata: { ...o.metadata, namespace: ns } });
      const objects = [
        ...times(2, (at) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `m${at}`, ...maybe('finalizers', [['example.com/a'], ['example.com/a', 'example.com/b']]) },
        })),
        object(
          'apps/v1',
          'Deployment',
          'd',
          { replicas: 2, selector: selector('d'), template: template('d', byHand) },
          maybe('finalizers', [['example.com/a']]),
        ),
        pod('p', {}, { ...byHand, terminationGracePeriodSeconds: one([0, 30]) }, maybe('finalizers', [['example.com/c']])),
        object('v1', 'Service', 's', { ports: [{ port: 80 }] }),
      ];
      const steps = [
        { create: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns } } },
        { wait: 2_000 },
        { create: objects.map(inside) },
        { wait: 2_000 },
        { do: { method: 'DELETE', path: `/api/v1/namespaces/${ns}` } },
      ];
      const release = (o) => patch(inside(o), { metadata: { finalizers: null } });
      return {
        steps,
        objects: [],
        also: [`/api/v1/namespaces/${ns}`, pathOf(inside(objects[0]))],
        changes: [some(objects).map(release), objects.map(release)],
        settle: 18_000,
      };
    },
  };
}

/** Serves PodMetrics that a scenario writes. */
const metricsDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pods.metrics.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, only for scenarios' } },
  spec: {
    group: 'metrics.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'pods', singular: 'pod', kind: 'PodMetrics', listKind: 'PodMetricsList' },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** PEM, in base64: of a person in an organization, and of `system:node:node-9`. */
const certificateRequests = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1l6Q0NBVXNDQVFBd0hqRU1NQW9HQTFVRUNnd0RaR1YyTVE0d0RBWURWUVFEREFWallYSnZiRENDQVNJdwpEUVlKS29aSWh2Y05BUUVCQlFBRGdnRVBBRENDQVFvQ2dnRUJBS0FHeThEVlhMZ1J2ZEdTV0pwOWZhK0xVMkxtCmNsL2doYm4vc0xCVEpHTnU2bU50d0pGcXZFeFp3cWdYNGlVSUkvNzRxbm5NcmdTR0NEaUZ6bnc3azE3MXZkYksKNTZRR1ZmMjdyVm5ZZ2NXQzdoL3hVZG9uK0prUW44QnJSdno0aGpxT08ya3poT0NOTEJPQXBLWENpZUE1VlZsRgpLb3U1aVNVMUp6cnkxWHd5MUFEM2E5dml3T0ZUZzdFTlE2eUVyQWlDMXRXSFVOdFBKYnU2MXpZYWVVZ2ZaL2E1CmFTZ0NuYVpNeGlCOWV3emFsTDNrVkdFNkRKK1R3STBlZTZ6VjgyVjlNMCs1M2tpWnV0WHlvTU1BdTRSQmtuWUgKV3Ntc01TRkxYS2Y4TlByeXBiVFNhMXlWUVhwQzFQNlpRdW9sWlBmNzNnc3grSjVrcnlsQjY5RU1wS01DQXdFQQpBYUFBTUEwR0NTcUdTSWIzRFFFQkN3VUFBNElCQVFBa3kydVRySnlMaW1DdzB2QnhDMS80WVZRR0lGVlhYOTh1CkhtZXlDSjFjN0RLQWx3Z1RuejBoSDhjdDVIdUgvMU9pZDgzanVQNHJpajlkdWgzbEd1dzhicUZ5UVk3Y0JtN1gKSE1QdXBuaVl6UU1YWnlOVVZtQzhuK2xIcngvUXhDck5DemhDeE8rRkluWTJUVWdEbkpkUXdZMGdINWUzdnBJcAowMmUvakFBOHlwblM2THRXV1MzMEVqZUZMT3VwVm1JZnppY2Z5cFVEUy96MWdHZmI2eGo2ZnBSUTZYSGszb3pnCkFhT3dzNXUxakZlN0ZhQm0raldIS0xqNFNLTXBFWk1ET3dBdjh6Y0tyODkrd1B1M0hpYjVKcm9VdE1OWmc4OHgKcEowYVo3L2lrV1JRRmx0cC9aa3JHVWs0MUVtNVUwUDVPZWdlSWI4UXZxZmJBazN6WXN2OAotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ2VUQ0NBV0VDQVFBd05ERVZNQk1HQTFVRUNnd01jM2x6ZEdWdE9tNXZaR1Z6TVJzd0dRWURWUVFEREJKegplWE4wWlcwNmJtOWtaVHB1YjJSbExUa3dnZ0VpTUEwR0NTcUdTSWIzRFFFQkFRVUFBNElCRHdBd2dnRUtBb0lCCkFRQ2dCc3ZBMVZ5NEViM1JrbGlhZlgydmkxTmk1bkpmNElXNS83Q3dVeVJqYnVwamJjQ1JhcnhNV2NLb0YrSWwKQ0NQKytLcDV6SzRFaGdnNGhjNThPNU5lOWIzV3l1ZWtCbFg5dTYxWjJJSEZndTRmOFZIYUovaVpFSi9BYTBiOAorSVk2amp0cE00VGdqU3dUZ0tTbHdvbmdPVlZaUlNxTHVZa2xOU2M2OHRWOE10UUE5MnZiNHNEaFU0T3hEVU9zCmhLd0lndGJWaDFEYlR5Vzd1dGMyR25sSUgyZjJ1V2tvQXAybVRNWWdmWHNNMnBTOTVGUmhPZ3lmazhDTkhudXMKMWZObGZUTlB1ZDVJbWJyVjhxRERBTHVFUVpKMkIxckpyREVoUzF5bi9EVDY4cVcwMG10Y2xVRjZRdFQrbVVMcQpKV1QzKzk0TE1maWVaSzhwUWV2UkRLU2pBZ01CQUFHZ0FEQU5CZ2txaGtpRzl3MEJBUXNGQUFPQ0FRRUFaRFJZCitoS0pUQ0Vzc1pqckhwc1NKM1RKQm9sc09BM3RVVXE1Wmt6RGZrd2N1ZmxXV3prdWxRRDJWckJSSWJBOW1ueFIKZnNFeXBERWZnb083dGNCbnFpY0tIU2s2WDY2WHdxQzZtdHdlbTFUK2ppTHNhSjd4cFVvYjlUdW9Bb3ljaHFHTAprYmNQdnB0NDR3bnhhM0ZFYTdmbXg0SnZYM3JDbFdwN2tTNVpuQWxrazJCbTV2NWlTdnVrc1N6WnVtRm1qOEkvCnBwU1B1aE1remFJZTlsRnpDa2FTLzlEalFxQklXQ0xhOGZPK2FhZHlhRStEN0xpa3k3T2F3b0pkdENaVmcwS0UKVjJhQzBlMTEzdFRma2lwZFV2OUZMbm1HUnh0VlNpTHVFUys4T3JKdFF2TkJNMjZGTnJaaTljZ3d1SS81bFNYZApnL0o3MjNFWHYrZEV6YkZ1bUE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
];
