import type { Product } from '../meta/index.ts';
import { ConfigurationFileError, listOf, readConfigurationFile, struct, text } from './configuration-file.ts';

/** A file of `--admission-control-config-file` that is none; the message is the real server's. */
export class AdmissionConfigError extends Error {
  override readonly name = 'AdmissionConfigError';
}

const shape = struct('AdmissionConfiguration', {
  kind: text,
  apiVersion: text,
  plugins: listOf(
    struct('AdmissionPluginConfiguration', { name: text, path: text, configuration: { form: 'untyped', topology: 'atomic', type: 'any' } }),
  ),
});

/** Reads it as the real server does. What it says to single plugins changes nothing here. @throws AdmissionConfigError */
export function checkAdmissionConfig(content: string, product: Product): void {
  try {
    readConfigurationFile(content, { kind: 'AdmissionConfiguration', shape, product });
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new AdmissionConfigError(error.message, { cause: error });
    throw error;
  }
}
