import { addQuantities, formatQuantity, parseQuantity } from '../../meta/index.ts';
import type { admissionregistrationv1, apiregistrationv1, apiserverinternalv1alpha1, resourcev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import {
  age,
  ageOf,
  boolean,
  type CellOf,
  type Column,
  conditionOf,
  integer,
  type KindColumns,
  name,
  sizeOf,
  text,
  truncateList,
} from './column.ts';
import { selectorStructText } from './selector-text.ts';

type Policy = Decoded<admissionregistrationv1.ValidatingAdmissionPolicy>;
type PolicyBinding = Decoded<admissionregistrationv1.ValidatingAdmissionPolicyBinding>;

const policyBindingColumns = [name, text('PolicyName', ({ spec }: PolicyBinding) => spec?.policyName), text('ParamRef', paramRef), age];
const webhookColumns = [
  name,
  integer('Webhooks', ({ webhooks }: { readonly webhooks?: readonly object[] | undefined }) => sizeOf(webhooks)),
  age,
];
const paramKindColumn = text('ParamKind', ({ spec }: Policy) => {
  const kind = spec?.paramKind;
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>';
});

/** Objects of metrics.k8s.io, whose server is aggregated. */
interface Metrics {
  readonly window?: string;
  readonly usage?: Usage;
  readonly containers?: readonly { readonly usage?: Usage }[];
}
type Usage = Readonly<Partial<Record<MeasuredResource, string>>>;
type MeasuredResource = 'cpu' | 'memory';

const quantity = <T>(resource: MeasuredResource, cell: CellOf<T, string>): Column<T> => ({
  ...text(resource, cell),
  format: 'quantity',
  description: '',
});
const window: Column<Metrics> = { ...text('Window', ({ window }: Metrics) => window), format: 'duration', description: '' };
const nodeUsage = (resource: MeasuredResource): Column<Metrics> => quantity(resource, ({ usage }) => usage?.[resource]);

/** The sum over the containers of PodMetrics. */
const podUsage = (resource: MeasuredResource): Column<Metrics> =>
  quantity(resource, ({ containers = [] }) => {
    const amounts = containers.map(({ usage }) => parseQuantity(usage?.[resource] || '0'));
    return formatQuantity(amounts.reduce(addQuantities, parseQuantity('0')));
  });

interface StorageVersionMigration {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly resource?: { readonly resource?: string; readonly version?: string; readonly group?: string } };
}

/** Columns of kinds that configure the API server. */
export const systemColumns: KindColumns = {
  APIService: [
    name,
    text('Service', ({ spec }) => (spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local')),
    text('Available', availability),
    age,
  ],
  DeviceClass: [name, age],
  DeviceTaintRule: [
    name,
    text('Key', ({ spec }) => spec?.taint?.key),
    text('Value', ({ spec }) => spec?.taint?.value),
    text('Effect', ({ spec }) => spec?.taint?.effect),
    text('TimeAdded', ({ spec }, { nowMs }) => ageOf(spec?.taint?.timeAdded, nowMs)),
    age,
  ],
  FlowSchema: [
    name,
    text('PriorityLevel', ({ spec }) => spec?.priorityLevelConfiguration?.name),
    text('MatchingPrecedence', ({ spec }) => spec?.matchingPrecedence ?? 0),
    text('DistinguisherMethod', ({ spec }) => spec?.distinguisherMethod?.type || '<none>'),
    age,
    text('MissingPL', ({ status }) => conditionOf(status?.conditions, 'Dangling')?.status || '?'),
  ],
  Lease: [name, text('Holder', ({ spec }) => spec?.holderIdentity), age],
  LeaseCandidate: [
    name,
    text('LeaseName', ({ spec }) => spec?.leaseName),
    text('BinaryVersion', ({ spec }) => spec?.binaryVersion),
    text('EmulationVersion', ({ spec }) => spec?.emulationVersion),
    age,
  ],
  MutatingAdmissionPolicy: [name, integer('Mutations', ({ spec }) => sizeOf(spec?.mutations)), paramKindColumn, age],
  MutatingAdmissionPolicyBinding: policyBindingColumns,
  MutatingWebhookConfiguration: webhookColumns,
  NodeMetrics: [name, nodeUsage('cpu'), nodeUsage('memory'), window],
  PodMetrics: [name, podUsage('cpu'), podUsage('memory'), window],
  PriorityClass: [
    name,
    integer('Value', ({ value }) => value),
    boolean('Global-Default', ({ globalDefault }) => globalDefault),
    age,
    text('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy),
  ],
  PriorityLevelConfiguration: [
    name,
    text('Type', ({ spec }) => spec?.type),
    text('NominalConcurrencyShares', ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? '<none>'),
    text('Queues', ({ spec }) => spec?.limited?.limitResponse?.queuing?.queues ?? '<none>'),
    text('HandSize', ({ spec }) => spec?.limited?.limitResponse?.queuing?.handSize ?? '<none>'),
    text('QueueLengthLimit', ({ spec }) => spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? '<none>'),
    age,
  ],
  ResourceClaim: [name, text('State', claimState), age],
  ResourceClaimTemplate: [name, age],
  ResourceSlice: [
    name,
    text('Node', ({ spec }) => spec?.nodeName),
    text('Driver', ({ spec }) => spec?.driver),
    text('Pool', ({ spec }) => spec?.pool?.name),
    age,
  ],
  RuntimeClass: [name, text('Handler', ({ handler }) => handler), age],
  StorageVersion: [
    name,
    text('CommonEncodingVersion', ({ status }) => status?.commonEncodingVersion || '<unset>'),
    text('StorageVersions', storageVersions),
    age,
  ],
  StorageVersionMigration: [
    text('Name', ({ metadata }: StorageVersionMigration) => metadata?.name),
    text('Resource', ({ spec }: StorageVersionMigration) => {
      const { resource = '', version = '', group = '' } = spec?.resource ?? {};
      return `${resource}.${version}.${group}`;
    }),
  ],
  ValidatingAdmissionPolicy: [name, integer('Validations', ({ spec }) => sizeOf(spec?.validations)), paramKindColumn, age],
  ValidatingAdmissionPolicyBinding: policyBindingColumns,
  ValidatingWebhookConfiguration: webhookColumns,
};

function availability({ status }: Decoded<apiregistrationv1.APIService>): string {
  const condition = conditionOf(status?.conditions, 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status ?? ''} (${condition.reason ?? ''})`;
}

function paramRef({ spec }: PolicyBinding): string {
  const ref = spec?.paramRef;
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector ? selectorStructText(ref.selector) : '<unset>';
}

function claimState({ metadata, status }: Decoded<resourcev1.ResourceClaim>): string {
  const states = metadata?.deletionTimestamp ? ['deleted'] : [];
  if (status?.allocation) states.push('allocated');
  else if (!metadata?.deletionTimestamp) states.push('pending');
  if (status?.reservedFor?.length) states.push('reserved');
  return states.join();
}

function storageVersions({ status }: Decoded<apiserverinternalv1alpha1.StorageVersion>): string {
  const all = (status?.storageVersions ?? []).map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`);
  return truncateList(all, 3) || '<unset>';
}
