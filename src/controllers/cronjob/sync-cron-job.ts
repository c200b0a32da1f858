import { type ApiClient, type EventRecorder, hasStatus, type PartialObject } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { formatTime, goQuote, type Product } from '../../meta/index.ts';
import { type batchv1, batchv1CronJobs, batchv1Jobs, type corev1 } from '../../schema/api/index.ts';
import { CronError, isTimeZone, parseCron } from '../../schema/index.ts';
import { finishedCondition } from '../job/index.ts';
import { controllerOf, isNamespaceTerminating } from '../pods/index.ts';
import { type CronTimes, createCronTimes } from './cron-times.ts';
import { jobFromTemplate, jobName } from './job-from-template.ts';
import { jobsBeyondHistory } from './job-history.ts';
import { type DueTime, dueTime, requeueAfterMs, ScheduleError } from './schedule-time.ts';

export interface SyncOptions {
  readonly client: ApiClient;
  readonly nowMs: number;
  readonly product: Pick<Product, 'rename'>;
  readonly recorder: Pick<EventRecorder, 'event'>;
}

/** One reconciliation of a CronJob with its jobs. Cf. pkg/controller/cronjob/cronjob_controllerv2.go sync. */
export class CronJobSync {
  readonly #options: SyncOptions;
  readonly #jobs: readonly batchv1.Job[];
  #cronJob: batchv1.CronJob;
  #isStatusChanged = false;

  constructor(cronJob: batchv1.CronJob, jobs: readonly batchv1.Job[], options: SyncOptions) {
    this.#options = options;
    this.#jobs = jobs;
    this.#cronJob = cronJob;
  }

  /**
   * Returns the milliseconds until the next reconciliation; undefined when only a change can make one necessary. `onWritten` receives the
   * CronJob with its new status.
   */
  async run(onWritten: (cronJob: batchv1.CronJob) => void): Promise<number | undefined> {
    for (const job of jobsBeyondHistory(this.#cronJob, this.#jobs)) await this.#deleteJob(job);
    const [synced] = await Promise.allSettled([this.#sync()]);
    if (this.#isStatusChanged) onWritten(await this.#options.client.resource(batchv1CronJobs).updateStatus(this.#cronJob));
    if (synced.status === 'rejected') throw synced.reason;
    return synced.value;
  }

  async #sync(): Promise<number | undefined> {
    for (const job of this.#jobs) await this.#observeJob(job);
    await this.#removeMissingJobs();
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    const { timeZone } = spec;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      this.#event('Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(timeZone)}: unknown time zone ${timeZone}`);
      return undefined;
    }
    const times = spec.suspend === true ? undefined : this.#scheduleTimes();
    return times && this.#schedule(times);
  }

  async #observeJob(job: batchv1.Job): Promise<void> {
    const { name = '', uid = '' } = job.metadata;
    const condition = finishedCondition(job)?.type;
    const isListed = this.#isActive(uid);
    if (condition === undefined) {
      if (!isListed) await this.#observeUnlistedJob(name, uid);
      return;
    }
    if (isListed) {
      this.#removeFromActive(uid);
      this.#event('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
    }
    const { completionTime } = job.status;
    const { lastSuccessfulTime } = this.#cronJob.status;
    if (condition !== 'Complete' || completionTime === undefined) return;
    if (lastSuccessfulTime === undefined || completionTime > lastSuccessfulTime) this.#setStatus({ lastSuccessfulTime: completionTime });
  }

  async #observeUnlistedJob(name: string, uid: string): Promise<void> {
    const { name: cronJobName = '', namespace = '' } = this.#cronJob.metadata;
    const fresh = await this.#options.client.resource(batchv1CronJobs).get({ name: cronJobName, namespace });
    if (fresh.status.active?.some((one) => one.uid === uid)) this.#cronJob = fresh;
    else this.#event('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
  }

  async #removeMissingJobs(): Promise<void> {
    const known = new Set(this.#jobs.map(({ metadata }) => metadata.uid));
    for (const { name = '', namespace = '', uid = '' } of this.#active()) {
      if (known.has(uid)) continue;
      // The cache may be older than the status.
      if (await this.#options.client.resource(batchv1Jobs).getIfExists({ name, namespace })) continue;
      this.#event('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#removeFromActive(uid);
    }
  }

  /** Undefined when the schedule is invalid; a change of the CronJob triggers another reconciliation. */
  #scheduleTimes(): CronTimes | undefined {
    const { schedule } = this.#cronJob.spec;
    if (schedule.includes('TZ')) {
      const text = `CRON_TZ or TZ used in schedule ${goQuote(schedule)} is not officially supported`;
      const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
      this.#event('Warning', 'UnsupportedSchedule', `${text}, see ${page} for more details`);
    }
    try {
      return createCronTimes(parseCron(effectiveSchedule(this.#cronJob)));
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      this.#event('Warning', 'UnparseableSchedule', `unparseable schedule: ${goQuote(schedule)} : ${error.message}`);
      return undefined;
    }
  }

  async #schedule(times: CronTimes): Promise<number | undefined> {
    const { nowMs } = this.#options;
    let due: DueTime | undefined;
    try {
      due = dueTime(this.#cronJob, nowMs, times);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      this.#event('Warning', 'InvalidSchedule', `invalid schedule: ${this.#cronJob.spec.schedule} : ${error.message}`);
      return undefined;
    }
    if (due?.isManyMissed) {
      const text = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#event('Warning', 'TooManyMissedTimes', text);
    }
    if (due && this.#isToStart(due.scheduledMs) && !(await this.#start(due.scheduledMs))) return undefined;
    return requeueAfterMs(this.#cronJob, nowMs, times);
  }

  #isToStart(scheduledMs: number): boolean {
    const { spec, status } = this.#cronJob;
    const { startingDeadlineSeconds } = spec;
    if (startingDeadlineSeconds !== undefined && scheduledMs + startingDeadlineSeconds * 1000 < this.#options.nowMs) {
      this.#event('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${formatRfc1123(scheduledMs)}`);
      return false;
    }
    const name = jobName(this.#cronJob, scheduledMs);
    if (this.#active().some((one) => one.name === name) || status.lastScheduleTime === formatTime(scheduledMs)) return false;
    if (spec.concurrencyPolicy === 'Forbid' && this.#active().length > 0) {
      const text = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#event('Normal', 'JobAlreadyActive', text);
      return false;
    }
    return true;
  }

  /** Creates the job of a scheduled time. Returns false when it exists and is none of this CronJob or known already. */
  async #start(scheduledMs: number): Promise<boolean> {
    if (this.#cronJob.spec.concurrencyPolicy === 'Replace') await this.#deleteActiveJobs();
    const name = jobName(this.#cronJob, scheduledMs);
    const job = await this.#createJob(jobFromTemplate(this.#cronJob, scheduledMs, name, this.#options.product));
    if (!job) return false;
    const { namespace = '', uid = '', resourceVersion = '' } = job.metadata;
    const reference = { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion };
    this.#setStatus({ active: [...this.#active(), reference], lastScheduleTime: formatTime(scheduledMs) });
    return true;
  }

  async #deleteActiveJobs(): Promise<void> {
    for (const { name = '', namespace = '' } of this.#active()) {
      const job = await this.#options.client
        .resource(batchv1Jobs)
        .get({ name, namespace })
        .catch((error: unknown) => {
          this.#event('Warning', 'FailedGet', `Get job: ${errorMessage(error)}`);
          throw error;
        });
      if (!(await this.#deleteJob(job))) throw new Error(`could not replace job ${namespace}/${name}`);
    }
  }

  async #createJob(request: PartialObject<batchv1.Job>): Promise<batchv1.Job | undefined> {
    const jobs = this.#options.client.resource(batchv1Jobs);
    try {
      const job = await jobs.create(request);
      this.#event('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      return job;
    } catch (error) {
      if (hasStatus(error, 409) && error.reason === 'AlreadyExists') return this.#adoptableJob(request.metadata?.name ?? '');
      if (!isNamespaceTerminating(error)) this.#event('Warning', 'FailedCreate', `Error creating job: ${errorMessage(error)}`);
      throw error;
    }
  }

  /** A job that this controller created before, without updating the status after it. */
  async #adoptableJob(name: string): Promise<batchv1.Job | undefined> {
    const { namespace = '', uid } = this.#cronJob.metadata;
    const job = await this.#options.client.resource(batchv1Jobs).get({ name, namespace });
    const isOwn = controllerOf(job)?.uid === uid;
    return isOwn && !this.#isActive(job.metadata.uid ?? '') ? job : undefined;
  }

  async #deleteJob({ metadata: { name = '', namespace = '', uid = '' } }: batchv1.Job): Promise<boolean> {
    try {
      await this.#options.client.resource(batchv1Jobs).delete({ name, namespace }, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#event('Warning', 'FailedDelete', `Deleted job: ${errorMessage(error)}`);
      return false;
    }
    this.#removeFromActive(uid);
    this.#event('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #active(): readonly corev1.ObjectReference[] {
    return this.#cronJob.status.active ?? [];
  }

  #isActive(uid: string): boolean {
    return this.#active().some((one) => one.uid === uid);
  }

  #removeFromActive(uid: string): void {
    this.#setStatus({ active: this.#active().filter((one) => one.uid !== uid) });
  }

  #setStatus(changes: batchv1.CronJobStatus): void {
    this.#isStatusChanged = true;
    this.#cronJob = { ...this.#cronJob, status: { ...this.#cronJob.status, ...changes } };
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(this.#cronJob, type, reason, message);
  }
}

/** The schedule with the time zone of the CronJob. Cf. formatSchedule. */
export function effectiveSchedule({ spec: { schedule, timeZone } }: Pick<batchv1.CronJob, 'spec'>): string {
  return schedule.includes('TZ') || timeZone === undefined || !isTimeZone(timeZone) ? schedule : `TZ=${timeZone} ${schedule}`;
}

/** `Thu, 01 Jan 2026 00:00:00 +0000`. */
function formatRfc1123(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}
