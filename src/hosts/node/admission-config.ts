import { AdmissionConfigError, checkAdmissionConfig } from '../../cluster/index.ts';
import type { Product } from '../../meta/index.ts';
import { FlagError } from './flag-error.ts';
import { readNamedFile } from './named-file.ts';

/** `--admission-control-config-file`. @throws FlagError as the real server tells it */
export async function loadAdmissionConfig(path: string, product: Product): Promise<void> {
  if (path === '') return;
  const lead = 'failed to apply admission: failed to read plugin config:';
  const content = await readNamedFile(path).catch((error: unknown) => {
    if (!(error instanceof FlagError)) throw error;
    throw new FlagError(`${lead} unable to read admission control configuration from ${JSON.stringify(path)} [${error.message}]`);
  });
  try {
    checkAdmissionConfig(content, product);
  } catch (error) {
    throw error instanceof AdmissionConfigError ? new FlagError(`${lead} ${error.message}`) : error;
  }
}
