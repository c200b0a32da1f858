import { invalid, type JsonObject, maxLengthError, required } from '../../../meta/index.ts';
import { omitEmpties, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none, nonNegativeAt, requiredOneOf, unsupported } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { metadataUpdate } from '../update-validators.ts';
import { CronError, isTimeZone, parseCron } from './cron-schedule.ts';
import { jobBody } from './job.ts';

/** Leaves space for the suffix of the Jobs' names. */
const maxName = 52;

export function cronJobValidators(context: ValidationContext): KindValidators {
  const validate = (object: JsonObject, old?: JsonObject): Errors =>
    cronJobSpec(recordAt(object, 'spec'), old && recordAt(old, 'spec'), context);
  return {
    'batch.CronJob': {
      create: (object) => [...validate(object), ...shortName(textAt(recordAt(object, 'metadata'), 'name'))],
      // Longer names from before the limit stay valid.
      update: (next, old) => [...metadataUpdate(next, old), ...validate(next, old)],
    },
  };
}

function shortName(name: string): Errors {
  return name.length > maxName ? [invalid('metadata.name', name, maxLengthError(maxName))] : none;
}

function cronJobSpec(spec: JsonObject, old: JsonObject | undefined, context: ValidationContext): Errors {
  const zone = optionalTextAt(spec, 'timeZone');
  return [
    ...schedule(spec, old),
    ...nonNegativeAt(spec, 'startingDeadlineSeconds', 'spec'),
    ...(old && optionalTextAt(old, 'timeZone') === zone ? none : timeZone(zone)),
    ...requiredOneOf(textAt(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy'),
    ...jobTemplate(recordAt(recordAt(spec, 'jobTemplate'), 'spec'), context),
    ...nonNegativeAt(spec, 'successfulJobsHistoryLimit', 'spec'),
    ...nonNegativeAt(spec, 'failedJobsHistoryLimit', 'spec'),
  ];
}

/** Schedules with an embedded time zone are older than the timeZone field: stored ones stay valid, new ones are rejected. */
function schedule(spec: JsonObject, old: JsonObject | undefined): Errors {
  const path = 'spec.schedule';
  const text = textAt(spec, 'schedule');
  if (text === '') return [required(path, '')];
  const wrong = scheduleError(text);
  const errors = wrong === undefined ? none : [invalid(path, text, wrong)];
  if (!text.includes('TZ')) return errors;
  if (!textAt(old, 'schedule').includes('TZ'))
    return [...errors, invalid(path, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  if (optionalTextAt(spec, 'timeZone') === undefined) return errors;
  return [...errors, invalid(path, text, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
}

function scheduleError(text: string): string | undefined {
  try {
    parseCron(text);
    return undefined;
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

function timeZone(name: string | undefined): Errors {
  const path = 'spec.timeZone';
  if (name === undefined) return none;
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local') {
    return [invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')];
  }
  return isTimeZone(name) ? none : [invalid(path, name, `unknown time zone ${name}`)];
}

/** The server generates the selector of each Job. */
function jobTemplate(spec: JsonObject, context: ValidationContext): Errors {
  const path = 'spec.jobTemplate.spec';
  const selector = optionalRecordAt(spec, 'selector');
  return [
    ...jobBody(spec, path, context),
    ...(selector ? [invalid(`${path}.selector`, omitEmpties(selector), '`selector` will be auto-generated')] : none),
    ...(spec['manualSelector'] === true ? [unsupported(`${path}.manualSelector`, true, ['nil', 'false'])] : none),
  ];
}
