import { type FieldError, invalid, isQualifiedName, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, immutable, named, none } from '../checks.ts';
import type { KindValidators } from '../kind-validator.ts';
import { isSame, numberAt, recordAt, textAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';

/**
 * Events have two names for most of what they say: those of core/v1, in which upstream tells errors too, and those of
 * events.k8s.io/v1. Cf. upstream ValidateEventCreate.
 */
export const eventValidators: KindValidators = {
  'core.Event': { create: (event) => legacyEvent(asCore(event)), update: (next) => legacyEvent(asCore(next)) },
  'events.Event': {
    create: newEvent,
    update: (next, old) => eventUpdate(next, old),
  },
};

/** One view of both kinds. */
interface EventView {
  readonly namespace: string;
  readonly regarding: JsonObject;
  readonly eventTime: unknown;
  readonly controller: string;
  readonly instance: string;
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly controllerField: string;
}

function asCore(event: JsonObject): EventView {
  return {
    namespace: textAt(recordAt(event, 'metadata'), 'namespace'),
    regarding: recordAt(event, 'involvedObject'),
    eventTime: event['eventTime'],
    controller: textAt(event, 'reportingComponent'),
    instance: textAt(event, 'reportingInstance'),
    action: textAt(event, 'action'),
    reason: textAt(event, 'reason'),
    message: textAt(event, 'message'),
    controllerField: 'reportingComponent',
  };
}

const maxInstance = 128;
const maxAction = 128;
const maxReason = 128;
const maxNote = 1024;

/** Namespaces of the event and of what it is about. */
function sameNamespace({ namespace, regarding }: EventView): Errors {
  const other = textAt(regarding, 'namespace');
  if (other === '') {
    const allowed = namespace === '' || namespace === 'default';
    return allowed ? none : [invalid('involvedObject.namespace', other, 'does not match event.namespace')];
  }
  return other === namespace ? none : [invalid('involvedObject.namespace', other, 'does not match event.namespace')];
}

function legacyEvent(event: EventView): Errors {
  const errors = [...sameNamespace(event)];
  if (event.eventTime === undefined || event.eventTime === null) return errors;
  const field = event.controllerField;
  if (event.controller === '') errors.push(required(field, ''));
  errors.push(...named(isQualifiedName, event.controller, field));
  if (event.instance === '') errors.push(required('reportingInstance', ''));
  if (event.instance.length > maxInstance) errors.push(invalid('reportingInstance', '', `can have at most ${maxInstance} characters`));
  if (event.action === '') errors.push(required('action', ''));
  if (event.action.length > maxAction) errors.push(invalid('action', '', `can have at most ${maxAction} characters`));
  if (event.reason === '') errors.push(required('reason', ''));
  if (event.reason.length > maxReason) errors.push(invalid('reason', '', `can have at most ${maxReason} characters`));
  if (event.message.length > maxNote) errors.push(invalid('message', '', `can have at most ${maxNote} characters`));
  return errors;
}

/** Events of the new group are checked in full. */
function newEvent(event: JsonObject): Errors {
  const view: EventView = {
    ...asCore(event),
    regarding: recordAt(event, 'regarding'),
    controller: textAt(event, 'reportingController'),
    controllerField: 'reportingController',
  };
  const [reason, note, type] = [textAt(event, 'reason'), textAt(event, 'note'), textAt(event, 'type')];
  // An event may lie elsewhere than what it is about, but what lies nowhere has its events in `default`.
  const errors: FieldError[] = textAt(view.regarding, 'namespace') === '' ? [...sameNamespace(view)] : [];
  if (view.eventTime === undefined || view.eventTime === null) errors.push(required('eventTime', ''));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${type}`));
  errors.push(
    ...(view.controller === '' ? [required('reportingController', '')] : none),
    ...named(isQualifiedName, view.controller, 'reportingController'),
  );
  if (view.instance === '') errors.push(required('reportingInstance', ''));
  if (view.instance.length > maxInstance) errors.push(invalid('reportingIntance', '', `can have at most ${maxInstance} characters`));
  if (view.action === '') errors.push(required('action', ''));
  if (view.action.length > maxAction) errors.push(invalid('action', '', `can have at most ${maxAction} characters`));
  if (reason === '') errors.push(required('reason', ''));
  if (reason.length > maxReason) errors.push(invalid('reason', '', `can have at most ${maxReason} characters`));
  if (note.length > maxNote) errors.push(invalid('message', '', `can have at most ${maxNote} characters`));
  errors.push(...unsetInNew(event));
  return errors;
}

const old = [
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
] as const;

function unsetInNew(event: JsonObject): Errors {
  const errors: FieldError[] = [];
  for (const [field, shown] of old) if (event[field]) errors.push(invalid(shown, '', 'needs to be unset'));
  if ((numberAt(event, 'deprecatedCount') ?? 0) !== 0) errors.push(invalid('count', '', 'needs to be unset'));
  const source = recordAt(event, 'deprecatedSource');
  if (textAt(source, 'component') !== '' || textAt(source, 'host') !== '') errors.push(invalid('source', '', 'needs to be unset'));
  return errors;
}

/** New field → what upstream's error calls it, in its order. */
const fixed = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
] as const;

function series(event: JsonObject): Errors {
  if (event['series'] === undefined) return none;
  const given = recordAt(event, 'series');
  const errors: FieldError[] = [];
  if ((numberAt(given, 'count') ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!given['lastObservedTime']) errors.push(invalid('series.lastObservedTime', '', 'needs to be set'));
  return errors;
}

/** Only the series of an event goes on. */
function eventUpdate(next: JsonObject, before: JsonObject): Errors {
  return [
    ...wholeMetadata({ type: 'events.Event', namespaced: true }, next),
    ...newEvent(next),
    ...metadataUpdate(next, before),
    ...(isSame(next['series'], before['series']) ? none : series(next)),
    ...fixed.flatMap(([field, shown]) => (isSame(next[field], before[field]) ? none : immutable(next[field], before[field], shown))),
  ];
}
