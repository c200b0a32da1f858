import { addQuantities, formatQuantity, parseQuantity } from '../../meta/index.ts';
import {
  age,
  boolean,
  type CellOf,
  type Column,
  count,
  either,
  field,
  integer,
  name,
  since,
  sizeOf,
  text,
  truncateList,
} from './column.ts';
import { conditionOf, isSet, listAt, textAt, valueAt } from './read.ts';
import { selectorStructText } from './selector-text.ts';

const policyBindingColumns = [name, text('PolicyName', field('spec.policyName')), text('ParamRef', paramRef), age];
const webhookColumns = [name, integer('Webhooks', sizeOf('webhooks')), age];
const policyColumns = (rules: Column): readonly Column[] => [name, rules, text('ParamKind', paramKind), age];

const quantity = (resource: string, cell: CellOf): Column => ({ ...text(resource, cell), format: 'quantity', description: '' });
const window: Column = { ...text('Window', field('window')), format: 'duration', description: '' };

/** The sum over the containers of PodMetrics. */
function totalUsage(resource: string): CellOf {
  return (metrics) => {
    const amounts = listAt(metrics, 'containers').map((container) => parseQuantity(textAt(container, `usage.${resource}`) || '0'));
    return formatQuantity(amounts.reduce(addQuantities, parseQuantity('0')));
  };
}

/** Columns of kinds that configure the API server. */
export const systemColumns: Readonly<Record<string, readonly Column[]>> = {
  APIService: [
    name,
    text('Service', (object) =>
      isSet(valueAt(object, 'spec.service'))
        ? `${textAt(object, 'spec.service.namespace')}/${textAt(object, 'spec.service.name')}`
        : 'Local',
    ),
    text('Available', availability),
    age,
  ],
  DeviceClass: [name, age],
  DeviceTaintRule: [
    name,
    text('Key', field('spec.taint.key')),
    text('Value', field('spec.taint.value')),
    text('Effect', field('spec.taint.effect')),
    text('TimeAdded', since('spec.taint.timeAdded')),
    age,
  ],
  FlowSchema: [
    name,
    text('PriorityLevel', field('spec.priorityLevelConfiguration.name')),
    text('MatchingPrecedence', count('spec.matchingPrecedence')),
    text('DistinguisherMethod', field('spec.distinguisherMethod.type', '<none>')),
    age,
    text('MissingPL', (schema) => textAt(conditionOf(schema, 'Dangling'), 'status') || '?'),
  ],
  Lease: [name, text('Holder', field('spec.holderIdentity')), age],
  LeaseCandidate: [
    name,
    text('LeaseName', field('spec.leaseName')),
    text('BinaryVersion', field('spec.binaryVersion')),
    text('EmulationVersion', field('spec.emulationVersion')),
    age,
  ],
  MutatingAdmissionPolicy: policyColumns(integer('Mutations', sizeOf('spec.mutations'))),
  MutatingAdmissionPolicyBinding: policyBindingColumns,
  MutatingWebhookConfiguration: webhookColumns,
  NodeMetrics: [name, quantity('cpu', field('usage.cpu')), quantity('memory', field('usage.memory')), window],
  PodMetrics: [name, quantity('cpu', totalUsage('cpu')), quantity('memory', totalUsage('memory')), window],
  PriorityClass: [
    name,
    integer('Value', count('value')),
    boolean('Global-Default', either('globalDefault', false)),
    age,
    text('PreemptionPolicy', field('preemptionPolicy')),
  ],
  PriorityLevelConfiguration: [
    name,
    text('Type', field('spec.type')),
    text('NominalConcurrencyShares', either('spec.limited.nominalConcurrencyShares', '<none>')),
    text('Queues', either('spec.limited.limitResponse.queuing.queues', '<none>')),
    text('HandSize', either('spec.limited.limitResponse.queuing.handSize', '<none>')),
    text('QueueLengthLimit', either('spec.limited.limitResponse.queuing.queueLengthLimit', '<none>')),
    age,
  ],
  ResourceClaim: [name, text('State', claimState), age],
  ResourceClaimTemplate: [name, age],
  ResourceSlice: [
    name,
    text('Node', field('spec.nodeName')),
    text('Driver', field('spec.driver')),
    text('Pool', field('spec.pool.name')),
    age,
  ],
  RuntimeClass: [name, text('Handler', field('handler')), age],
  StorageVersion: [
    name,
    text('CommonEncodingVersion', field('status.commonEncodingVersion', '<unset>')),
    text('StorageVersions', storageVersions),
    age,
  ],
  StorageVersionMigration: [
    text('Name', field('metadata.name')),
    text('Resource', (migration) => ['resource', 'version', 'group'].map((part) => textAt(migration, `spec.resource.${part}`)).join('.')),
  ],
  ValidatingAdmissionPolicy: policyColumns(integer('Validations', sizeOf('spec.validations'))),
  ValidatingAdmissionPolicyBinding: policyBindingColumns,
  ValidatingWebhookConfiguration: webhookColumns,
};

function availability(service: unknown): string {
  const condition = conditionOf(service, 'Available');
  if (!isSet(condition)) return 'Unknown';
  const status = textAt(condition, 'status');
  return status === 'True' ? status : `${status} (${textAt(condition, 'reason')})`;
}

function paramKind(policy: unknown): string {
  const kind = valueAt(policy, 'spec.paramKind');
  return isSet(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>';
}

function paramRef(binding: unknown): string {
  const ref = valueAt(binding, 'spec.paramRef');
  if (!isSet(ref)) return '<unset>';
  const of = textAt(ref, 'name');
  if (of !== '') return `${textAt(ref, 'namespace') || '*'}/${of}`;
  const selector = valueAt(ref, 'selector');
  return isSet(selector) ? selectorStructText(selector) : '<unset>';
}

function claimState(claim: unknown): string {
  const deleted = textAt(claim, 'metadata.deletionTimestamp') !== '';
  const states = deleted ? ['deleted'] : [];
  if (isSet(valueAt(claim, 'status.allocation'))) states.push('allocated');
  else if (!deleted) states.push('pending');
  if (listAt(claim, 'status.reservedFor').length > 0) states.push('reserved');
  return states.join(',');
}

function storageVersions(version: unknown): string {
  const all = listAt(version, 'status.storageVersions').map((each) => `${textAt(each, 'apiServerID')}=${textAt(each, 'encodingVersion')}`);
  return truncateList(all, 3) || '<unset>';
}
