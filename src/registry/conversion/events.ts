import type { ApiObject, Json } from '../../meta/index.ts';

/** Names of members that differ between the versions, core first. */
const names: readonly (readonly [core: string, other: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const toNew: ReadonlyMap<string, string> = new Map(names);
const toCore: ReadonlyMap<string, string> = new Map(names.map(([core, other]) => [other, core]));

const typeMembers = ['kind', 'apiVersion', 'metadata'];
const newOrder = [
  'eventTime',
  'series',
  'reportingController',
  'reportingInstance',
  'action',
  'reason',
  'regarding',
  'related',
  'note',
  'type',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
];
const coreOrder = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'series',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];
/** Members that are encoded even when they are empty. */
const newAlways: Readonly<Record<string, Json>> = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};
const coreAlways: Readonly<Record<string, Json>> = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

/** core v1 → events.k8s.io/v1. */
export function toEventsV1(event: ApiObject): ApiObject {
  return convertMembers(event, toNew, newOrder, newAlways);
}

/** events.k8s.io/v1 → core v1. */
export function toCoreV1(event: ApiObject): ApiObject {
  return convertMembers(event, toCore, coreOrder, coreAlways);
}

function convertMembers(
  event: ApiObject,
  name: ReadonlyMap<string, string>,
  order: readonly string[],
  always: Readonly<Record<string, Json>>,
): ApiObject {
  const members = new Map<string, Json>();
  for (const [member, value] of Object.entries(event)) if (value !== undefined) members.set(name.get(member) ?? member, value);
  const result: Record<string, Json> = {};
  for (const member of [...typeMembers, ...order]) {
    const value = members.get(member) ?? always[member];
    // A member that one version always encodes is omitted by the other when it is empty.
    if (value !== undefined && (value !== '' || Object.hasOwn(always, member))) result[member] = value;
  }
  return result as ApiObject;
}
