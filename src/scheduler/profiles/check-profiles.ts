import { defaultPlugins } from '../plugins/index.ts';
import { defaultSchedulerName, SchedulerConfigError, type SchedulerConfiguration } from './configuration.ts';
import { resolveProfile } from './resolve-profile.ts';

/** Checks that the plugins of each profile exist. @throws SchedulerConfigError */
export function checkProfiles({ profiles = [] }: SchedulerConfiguration): void {
  for (const profile of profiles) {
    try {
      resolveProfile(profile, defaultPlugins);
    } catch (error) {
      if (!(error instanceof SchedulerConfigError)) throw error;
      throw profileError(profile.schedulerName ?? defaultSchedulerName, error.message);
    }
  }
}

/** An error of one profile, as kube-scheduler reports it. */
export function profileError(schedulerName: string, message: string): SchedulerConfigError {
  return new SchedulerConfigError(`initializing profiles: creating profile for scheduler name ${schedulerName}: ${message}`);
}
