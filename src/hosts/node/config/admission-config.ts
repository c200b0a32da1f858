import { dirname, resolve } from 'node:path';
import {
  AdmissionConfigError,
  defaultPodSecuritySettings,
  type PluginConfiguration,
  type PluginSelection,
  type PodSecuritySettings,
  readAdmissionConfig,
  readPodSecurityConfig,
} from '../../../cluster/index.ts';
import type { Log } from '../../../env/index.ts';
import type { Product } from '../../../meta/index.ts';
import { FlagError } from '../flags/flag-error.ts';
import { readNamedFile } from './named-file.ts';

export interface AdmissionConfigContext {
  readonly choice: PluginSelection;
  readonly product: Product;
  readonly log: Log;
}

/** Loads the plugin settings of `--admission-control-config-file`. @throws FlagError with the real server's message */
export async function loadAdmissionConfig(path: string, parts: AdmissionConfigContext): Promise<PodSecuritySettings> {
  if (path === '') return defaultPodSecuritySettings;
  const content = await readNamedFile(path).catch((error: unknown) => {
    if (!(error instanceof FlagError)) throw error;
    const why = `unable to read admission control configuration from ${JSON.stringify(path)} [${error.message}]`;
    throw new FlagError(`failed to apply admission: failed to read plugin config: ${why}`);
  });
  try {
    return await loadPodSecurity(readAdmissionConfig(content, parts.product), dirname(path), parts);
  } catch (error) {
    throw error instanceof AdmissionConfigError ? new FlagError(`failed to apply admission: ${error.message}`) : error;
  }
}

async function loadPodSecurity(
  configurations: readonly PluginConfiguration[],
  folder: string,
  { choice, product, log }: AdmissionConfigContext,
): Promise<PodSecuritySettings> {
  for (const { plugin } of configurations)
    if (plugin !== 'PodSecurity') log.warn('settings of an admission plugin that change nothing here', { plugin });
  const own = configurations.find(({ plugin }) => plugin === 'PodSecurity');
  if (!own || choice.disabled.includes('PodSecurity')) return defaultPodSecuritySettings;
  const content = own.content ?? (own.path === '' ? '' : await readSettings(resolve(folder, own.path)));
  return content === '' ? defaultPodSecuritySettings : readPodSecurityConfig(content, product);
}

function readSettings(path: string): Promise<string> {
  return readNamedFile(path).catch((error: unknown) => {
    if (!(error instanceof FlagError)) throw error;
    throw new FlagError(`Couldn't open admission plugin configuration ${path}: ${error.message}`);
  });
}
