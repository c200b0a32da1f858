import { invalid, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, none, nonNegativeAt } from '../checks.ts';
import { isSame, numberAt, objectsAt, recordAt, textAt } from '../reading.ts';

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/** What a Job's status may become. Cf. upstream ValidateJobUpdateStatus. */
export function jobStatusUpdate(next: JsonObject, old: JsonObject): Errors {
  const [status, before, spec] = [recordAt(next, 'status'), recordAt(old, 'status'), recordAt(next, 'spec')];
  return [
    ...counts.flatMap((field) => nonNegativeAt(status, field, 'status')),
    ...finished(status, spec),
    ...startTime(status, before, spec),
    ...completionTime(status, before),
    ...decisions(status, before),
  ];
}

function isTrue(status: JsonObject, type: string): boolean {
  return objectsAt(status, 'conditions').some((condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True');
}

/** A Job that has ended says when, and has nothing left running. */
function finished(status: JsonObject, _spec: JsonObject): Errors {
  const [complete, failed] = [isTrue(status, 'Complete'), isTrue(status, 'Failed')];
  const active = numberAt(status, 'active') ?? 0;
  const completion = status['completionTime'] !== undefined;
  const errors = [];
  if (complete && failed) errors.push(conditions('cannot set Complete=True and Failed=true conditions'));
  if (complete && !completion) errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  if (!complete && completion) {
    errors.push(
      invalid('status.completionTime', status['completionTime'], 'completionTime cannot be set if there is no Complete=True condition'),
    );
  }
  if ((complete || failed) && active > 0) errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  return errors;
}

/** Upstream shows no value here. */
function conditions(why: string): Errors[number] {
  return { reason: 'FieldValueInvalid', field: 'status.conditions', message: `Invalid value: ${why}` };
}

function startTime(status: JsonObject, before: JsonObject, spec: JsonObject): Errors {
  const [now, then] = [status['startTime'], before['startTime']];
  if (then === undefined || isSame(now, then)) return none;
  const suspended = spec['suspend'] === true;
  return suspended ? none : [required('status.startTime', 'startTime cannot be removed for unsuspended job')];
}

function completionTime(status: JsonObject, before: JsonObject): Errors {
  const [now, then] = [status['completionTime'], before['completionTime']];
  if (then === undefined || isSame(now, then)) return none;
  return [invalid('status.completionTime', now, 'field is immutable')];
}

/** The end of a Job is announced before it is said. */
function decisions(status: JsonObject, before: JsonObject): Errors {
  const errors = [];
  const [complete, failed] = [isTrue(status, 'Complete'), isTrue(status, 'Failed')];
  if (complete && !isTrue(status, 'SuccessCriteriaMet')) {
    errors.push(conditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  if (failed && !isTrue(status, 'FailureTarget')) {
    errors.push(conditions('cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  for (const type of ['Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet']) {
    if (isTrue(before, type) && !isTrue(status, type)) errors.push(conditions(`cannot disable the terminal ${type}=True condition`));
  }
  return errors;
}
