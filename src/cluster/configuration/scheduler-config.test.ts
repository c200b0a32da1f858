import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { checkProfiles } from '../../scheduler/index.ts';
import { readSchedulerConfig } from './scheduler-config.ts';

const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const read = (text: string, names: 'kubernetes' | 'svc' = 'kubernetes') => readSchedulerConfig(text, productByName(names));
const withArgs = (name: string, args: object): string =>
  `${head}profiles: [{pluginConfig: [{name: ${name}, args: ${JSON.stringify(args)}}]}]`;

test('fills in the defaults', () => {
  expect(read(head)).toMatchObject({
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 10,
    parallelism: 16,
    profiles: [{ schedulerName: 'default-scheduler', pluginConfig: [] }],
  });
});

test('reads profiles with plugins, weights and arguments, also under the neutral names', () => {
  const text = `${head.replace('k8s.io', 'svc')}
percentageOfNodesToScore: 30
podMaxBackoffSeconds: 20
leaderElection: {leaderElect: false}
profiles:
- schedulerName: packing
  percentageOfNodesToScore: 100
  plugins:
    score: {enabled: [{name: NodeResourcesFit, weight: 5}], disabled: [{name: ImageLocality}]}
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu}]}}
- schedulerName: spreading
  pluginConfig:
  - name: PodTopologySpread
    args:
      kind: PodTopologySpreadArgs
      apiVersion: kubescheduler.config.svc/v1
      defaultingType: List
      defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
`;
  const { profiles = [], ...rest } = read(text, 'svc');
  expect(rest).toMatchObject({ percentageOfNodesToScore: 30, podInitialBackoffSeconds: 1, podMaxBackoffSeconds: 20 });
  expect(profiles).toMatchObject([
    {
      schedulerName: 'packing',
      percentageOfNodesToScore: 100,
      plugins: { score: { enabled: [{ name: 'NodeResourcesFit', weight: 5 }], disabled: [{ name: 'ImageLocality' }] } },
      pluginConfig: [
        { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } } },
      ],
    },
    { schedulerName: 'spreading', pluginConfig: [{ name: 'PodTopologySpread', args: { defaultingType: 'List' } }] },
  ]);
});

const args = 'profiles[0].pluginConfig[0].args';

test.each([
  ['{}', "Object 'Kind' is missing in '{}'"],
  [
    head.replace('v1', 'v1beta3'),
    'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3" in scheme "pkg/runtime/scheme.go:110"',
  ],
  [
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: InterPodAffinityArgs',
    "couldn't decode as KubeSchedulerConfiguration, got kubescheduler.config.k8s.io/v1, Kind=InterPodAffinityArgs: ",
  ],
  [`${head}foo: 1\nprofiles: [{bar: 2}]`, 'strict decoding error: unknown field "foo", unknown field "profiles[0].bar"'],
  [`${head}parallelism: 0`, 'parallelism: Invalid value: 0: should be an integer value greater than zero'],
  [`${head}percentageOfNodesToScore: 101`, 'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]'],
  [
    `${head}podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 2`,
    'podMaxBackoffSeconds: Invalid value: 2: must be greater than or equal to PodInitialBackoffSeconds',
  ],
  [
    `${head}profiles: [{}, {schedulerName: a}, {schedulerName: a}]`,
    '[profiles[0].schedulerName: Required value, profiles[2].schedulerName: Duplicate value: {}]',
  ],
  [
    `${head}profiles: [{plugins: {filter: {enabled: [{name: Other}]}}}]`,
    'initializing profiles: creating profile for scheduler name default-scheduler: FilterPlugin "Other" does not exist',
  ],
  [
    withArgs('DefaultPreemption', { kind: 'InterPodAffinityArgs', apiVersion: 'kubescheduler.config.k8s.io/v1' }),
    'decoding .profiles[0].pluginConfig[0]: args for plugin DefaultPreemption were not of type DefaultPreemptionArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io',
  ],
  [
    withArgs('NodeResourcesFit', { scoringStrategy: { resources: [{ Name: 'cpu', Weight: 1 }] } }),
    'strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "scoringStrategy.resources[0].Name", unknown field "scoringStrategy.resources[0].Weight"',
  ],
  [
    withArgs('NodeResourcesFit', { scoringStrategy: { type: 'Best', resources: [{ name: 'cpu', weight: 101 }] } }),
    'initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": [scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio", scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]]',
  ],
  [
    withArgs('NodeResourcesFit', {
      scoringStrategy: {
        type: 'RequestedToCapacityRatio',
        requestedToCapacityRatio: {
          shape: [
            { utilization: 50, score: 1 },
            { utilization: 40, score: 11 },
          ],
        },
      },
    }),
    'initializing plugin "NodeResourcesFit": [scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 40: values must be sorted in increasing order, scoringStrategy.requestedToCapacityRatio.shape[1].score: Invalid value: 11: not in valid range [0, 10]]',
  ],
  [
    withArgs('DefaultPreemption', { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 }),
    `[${args}.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, ${args}.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]`,
  ],
  [
    withArgs('InterPodAffinity', { hardPodAffinityWeight: 101 }),
    `${args}.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]`,
  ],
  [
    withArgs('PodTopologySpread', { defaultConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }] }),
    `${args}.defaultingType: Invalid value: "System": when .defaultConstraints are not empty`,
  ],
  [
    withArgs('PodTopologySpread', { defaultingType: 'List', defaultConstraints: [{ topologyKey: 'zone', labelSelector: {} }] }),
    `[${args}.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf), ${args}.defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty, ${args}.defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod]`,
  ],
  [
    withArgs('NodeAffinity', {
      addedAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] },
      },
    }),
    `${args}.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"`,
  ],
  [
    withArgs('NodeResourcesBalancedAllocation', { resources: [{ name: 'cpu', weight: 2 }, { name: 'cpu' }] }),
    `[${args}.resources[0].weight: Invalid value: 2: must be 1, ${args}.resources[1].name: Duplicate value: "cpu"]`,
  ],
  [
    withArgs('VolumeBinding', { bindTimeoutSeconds: -1 }),
    `${args}.bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value`,
  ],
  [
    withArgs('DynamicResources', { bindingTimeout: '10s' }),
    `${args}.bindingTimeout: Forbidden: DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled`,
  ],
])('rejects %j with the message of kube-scheduler', (text, message) => {
  expect(() => checkProfiles(read(text))).toThrow(message);
});

test('arguments of a type that does not match are errors', () => {
  expect(() => read(`${head}percentageOfNodesToScore: many`)).toThrow('percentageOfNodesToScore');
  expect(() => read(withArgs('VolumeBinding', { bindTimeoutSeconds: 'x' }))).toThrow('decoding args for plugin VolumeBinding: ');
});
