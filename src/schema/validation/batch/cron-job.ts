import { invalid, maxLengthError, required } from '../../../meta/index.ts';
import type { batchv1 } from '../../api/index.ts';
import { omitEmpties } from '../accessors.ts';
import { type Errors, none, unsupported, validateNonNegativeField, validateRequiredOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateObjectMetaUpdate } from '../update-validators.ts';
import { CronError, isTimeZone, parseCron } from './cron-schedule.ts';
import { validateJobBody } from './job.ts';

/** Leaves space for the suffix of the Jobs' names. */
const maxName = 52;

export function cronJobValidators(context: ValidationContext): KindValidators {
  const validate = (object: Decoded<batchv1.CronJob>, old?: Decoded<batchv1.CronJob>): Errors =>
    validateCronJobSpec(object.spec ?? {}, old && (old.spec ?? {}), context);
  return {
    'batch.CronJob': {
      create: (object) => [...validate(object), ...validateNameLength(object.metadata?.name ?? '')],
      // Longer names from before the limit stay valid.
      update: (next, old) => [...validateObjectMetaUpdate(next, old), ...validate(next, old)],
    },
  };
}

function validateNameLength(name: string): Errors {
  return name.length > maxName ? [invalid('metadata.name', name, maxLengthError(maxName))] : none;
}

function validateCronJobSpec(
  spec: Decoded<batchv1.CronJobSpec>,
  old: Decoded<batchv1.CronJobSpec> | undefined,
  context: ValidationContext,
): Errors {
  const zone = spec.timeZone;
  return [
    ...validateSchedule(spec, old),
    ...validateNonNegativeField(spec, 'startingDeadlineSeconds', 'spec'),
    ...(old && old?.timeZone === zone ? none : validateTimeZone(zone)),
    ...validateRequiredOneOf(spec.concurrencyPolicy ?? '', ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy'),
    ...validateJobTemplate(spec.jobTemplate?.spec ?? {}, context),
    ...validateNonNegativeField(spec, 'successfulJobsHistoryLimit', 'spec'),
    ...validateNonNegativeField(spec, 'failedJobsHistoryLimit', 'spec'),
  ];
}

/** Schedules with an embedded time zone are older than the timeZone field: stored ones stay valid, new ones are rejected. */
function validateSchedule(spec: Decoded<batchv1.CronJobSpec>, old: Decoded<batchv1.CronJobSpec> | undefined): Errors {
  const path = 'spec.schedule';
  const text = spec.schedule ?? '';
  if (text === '') return [required(path, '')];
  const wrong = scheduleError(text);
  const errors = wrong === undefined ? none : [invalid(path, text, wrong)];
  if (!text.includes('TZ')) return errors;
  if (!(old?.schedule ?? '').includes('TZ'))
    return [...errors, invalid(path, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  if (spec.timeZone === undefined) return errors;
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

/** Words in names of the time zone database that are not a capital and small letters. */
const irregularWords: ReadonlyMap<string, string> = new Map(
  'au es of ACT BajaNorte BajaSur CET CHAT CST6CDT ComodRivadavia DeNoronha DumontDUrville EET EST EST5EDT EasterIsland GB GMT GMT0 HST IN LHI MET MST MST7MDT McMurdo NSW NZ PRC PST8PDT ROC ROK SU UCT US UTC WET'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Names of time zones are names of files in Go; the platform ignores their case. */
function hasDatabaseCase(name: string): boolean {
  return name.split(/[/_+-]/).every((word) => {
    const irregular = irregularWords.get(word.toLowerCase());
    return irregular === undefined ? /^(?:[A-Z][a-z]*|\d*)$/.test(word) : word === irregular;
  });
}

function validateTimeZone(name: string | undefined): Errors {
  const path = 'spec.timeZone';
  if (name === undefined) return none;
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local') {
    return [invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')];
  }
  return hasDatabaseCase(name) && isTimeZone(name) ? none : [invalid(path, name, `unknown time zone ${name}`)];
}

/** The server generates the selector of each Job. */
function validateJobTemplate(spec: Decoded<batchv1.JobSpec>, context: ValidationContext): Errors {
  const path = 'spec.jobTemplate.spec';
  const selector = spec.selector;
  return [
    ...validateJobBody(spec, path, context),
    ...(selector ? [invalid(`${path}.selector`, omitEmpties(selector), '`selector` will be auto-generated')] : none),
    ...(spec.manualSelector === true ? [unsupported(`${path}.manualSelector`, true, ['nil', 'false'])] : none),
  ];
}
