import { checkProfiles, readSchedulerConfig, SchedulerConfigError, type SchedulerConfiguration } from '../../../cluster/index.ts';
import type { Product } from '../../../meta/index.ts';
import { FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

/** Loads the file of `--scheduler-config`. @throws FlagError with the message of kube-scheduler */
export async function loadSchedulerConfig(path: string, product: Product): Promise<SchedulerConfiguration> {
  if (path === '') return {};
  try {
    const configuration = readSchedulerConfig(await readNamedFile(path), product);
    checkProfiles(configuration);
    return configuration;
  } catch (error) {
    throw error instanceof SchedulerConfigError ? new FlagError(error.message) : error;
  }
}
