import { type FieldError, invalid, isDns1123Subdomain, isQualifiedName, type JsonObject, required } from '../../../meta/index.ts';
import type { corev1, eventsv1 } from '../../api/index.ts';
import { isSemanticallyEqual, objectAt } from '../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

/**
 * Events of core/v1 and events.k8s.io/v1 have different field names; upstream's errors use those of core/v1. Cf. upstream
 * ValidateEventCreate.
 */
export function eventValidators(context: ValidationContext): KindValidators {
  const system = context.names.systemNamespace;
  const create = (event: JsonObject): Errors => [
    ...validateLegacyEvent(viewOfEvents(event), system),
    ...validateFullMetadata({ type: 'events.Event', namespaced: true }, event),
    ...validateSeries(event),
    ...validateEventsFields(event),
  ];
  return {
    'core.Event': {
      validatesMetadataLast: true,
      create: (event) => validateLegacyEvent(viewOfCore(event), system),
      update: (next) => validateLegacyEvent(viewOfCore(next), system),
    },
    'events.Event': {
      validatesMetadataLast: true,
      create,
      update: (next, old) => [
        ...validateLegacyEvent(viewOfEvents(next), system),
        ...validateObjectMetaUpdate(next, old),
        ...validateEventUpdate(next, old, context),
      ],
    },
  };
}

/** The common fields of both kinds. */
interface EventView {
  readonly namespace: string;
  readonly regarding: Decoded<corev1.ObjectReference>;
  readonly eventTime: unknown;
  readonly controller: string;
  readonly instance: string;
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly controllerField: string;
}

function viewOfCore(event: Decoded<corev1.Event>): EventView {
  return {
    namespace: event.metadata?.namespace ?? '',
    regarding: event.involvedObject ?? {},
    eventTime: event.eventTime,
    controller: event.reportingComponent ?? '',
    instance: event.reportingInstance ?? '',
    action: event.action ?? '',
    reason: event.reason ?? '',
    message: event.message ?? '',
    controllerField: 'reportingComponent',
  };
}

const maxInstance = 128;
const maxAction = 128;
const maxReason = 128;
const maxNote = 1024;

const namespaceMismatch = (other: string): FieldError => invalid('involvedObject.namespace', other, 'does not match event.namespace');

/** Legacy events are in the namespace of the involved object; for cluster-scoped objects in `default`. */
function validateSameNamespace({ namespace, regarding }: EventView): Errors {
  const { namespace: other = '' } = regarding;
  const isRight = other === '' ? namespace === '' || namespace === 'default' : other === namespace;
  return isRight ? none : [namespaceMismatch(other)];
}

/** With an eventTime, only events about cluster-scoped objects are restricted: to `default` and the system namespace. */
function validateKnownNamespace({ namespace, regarding }: EventView, system: string): Errors {
  return !regarding.namespace && namespace !== 'default' && namespace !== system ? [namespaceMismatch('')] : none;
}

function validateLegacyEvent(event: EventView, system: string): Errors {
  const inNamespace = validateNameWith(isDns1123Subdomain, event.namespace, 'namespace');
  if (event.eventTime === undefined || event.eventTime === null) return [...validateSameNamespace(event), ...inNamespace];
  const errors = [...validateKnownNamespace(event, system)];
  const field = event.controllerField;
  if (event.controller === '') errors.push(required(field, ''));
  errors.push(...validateNameWith(isQualifiedName, event.controller, field));
  if (event.instance === '') errors.push(required('reportingInstance', ''));
  if (event.instance.length > maxInstance) errors.push(invalid('reportingInstance', '', `can have at most ${maxInstance} characters`));
  if (event.action === '') errors.push(required('action', ''));
  if (event.action.length > maxAction) errors.push(invalid('action', '', `can have at most ${maxAction} characters`));
  if (event.reason === '') errors.push(required('reason', ''));
  if (event.reason.length > maxReason) errors.push(invalid('reason', '', `can have at most ${maxReason} characters`));
  if (event.message.length > maxNote) errors.push(invalid('message', '', `can have at most ${maxNote} characters`));
  return [...errors, ...inNamespace];
}

function viewOfEvents(event: Decoded<eventsv1.Event>): EventView {
  return {
    ...viewOfCore(event),
    regarding: event.regarding ?? {},
    controller: event.reportingController ?? '',
    message: event.note ?? '',
    controllerField: 'reportingController',
  };
}

/** Events of events.k8s.io require a time and a type, and have none of the deprecated fields. */
function validateEventsFields(event: Decoded<eventsv1.Event>): Errors {
  const type = event.type ?? '';
  return [
    ...(event.eventTime ? none : [required('eventTime', '')]),
    ...(type === 'Normal' || type === 'Warning' ? none : [invalid('type', '', `has invalid value: ${type}`)]),
    ...validateDeprecatedFieldsUnset(event),
  ];
}

const deprecatedFields = [
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
] as const;

function validateDeprecatedFieldsUnset(event: Decoded<eventsv1.Event>): Errors {
  const errors: FieldError[] = [];
  for (const [field, shown] of deprecatedFields) if (event[field]) errors.push(invalid(shown, '', 'needs to be unset'));
  if ((event.deprecatedCount ?? 0) !== 0) errors.push(invalid('count', '', 'needs to be unset'));
  const source = event.deprecatedSource ?? {};
  if ((source.component ?? '') !== '' || (source.host ?? '') !== '') errors.push(invalid('source', '', 'needs to be unset'));
  return errors;
}

/** Upstream's internal name of an immutable field → its name in errors, in upstream's order. */
const immutableFieldNames = [
  ['Regarding', 'involvedObject'],
  ['Reason', 'reason'],
  ['Note', 'message'],
  ['DeprecatedSource', 'source'],
  ['DeprecatedFirstTimestamp', 'firstTimestamp'],
  ['DeprecatedLastTimestamp', 'lastTimestamp'],
  ['DeprecatedCount', 'count'],
  ['Reason', 'reason'],
  ['Type', 'type'],
  ['EventTime', 'eventTime'],
  ['Action', 'action'],
  ['Related', 'related'],
  ['ReportingController', 'reportingController'],
  ['ReportingInstance', 'reportingInstance'],
] as const;

function validateSeries(event: Decoded<eventsv1.Event>): Errors {
  if (event.series === undefined) return none;
  const { count = 0, lastObservedTime } = event.series;
  const errors: FieldError[] = [];
  if (count < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!lastObservedTime) errors.push(required('series.lastObservedTime', ''));
  return errors;
}

/** Only the series of an event is mutable. */
function validateEventUpdate(next: JsonObject, before: JsonObject, { internal }: ValidationContext): Errors {
  const [now, then] = [next, before].map((event) => objectAt(internal.value(event, 'events/v1.Event')));
  return [
    ...(isSemanticallyEqual(next['series'], before['series']) ? none : validateSeries(next)),
    ...immutableFieldNames.flatMap(([field, shown]) => validateImmutable(now?.[field], then?.[field], shown)),
  ];
}
