import type { Product } from '../meta/index.ts';
import { objectsAt, textAt } from '../meta/index.ts';
import { ConfigurationFileError, listOf, readConfigurationFile, struct, text } from './configuration-file.ts';

/** A file of `--admission-control-config-file` that is none, or settings of a plugin; the message is the real server's. */
export class AdmissionConfigError extends Error {
  override readonly name = 'AdmissionConfigError';
}

/** What the file says to one plugin. */
export interface PluginConfiguration {
  readonly plugin: string;
  /** The settings themselves, in JSON; undefined: a file may hold them. */
  readonly content: string | undefined;
  /** Empty: no file does. */
  readonly path: string;
}

const shape = struct('AdmissionConfiguration', {
  kind: text,
  apiVersion: text,
  plugins: listOf(
    struct('AdmissionPluginConfiguration', { name: text, path: text, configuration: { form: 'untyped', topology: 'atomic', type: 'any' } }),
  ),
});

/** Reads it as the real server does; of several settings of one plugin the first count. @throws AdmissionConfigError */
export function readAdmissionConfig(content: string, product: Product): readonly PluginConfiguration[] {
  const plugins = objectsAt(
    inAdmissionWords('failed to read plugin config', () => readFile(content, product)),
    'plugins',
  );
  return plugins
    .filter((one, index) => plugins.findIndex((other) => textAt(other, 'name') === textAt(one, 'name')) === index)
    .map((one) => ({
      plugin: textAt(one, 'name'),
      content: one['configuration'] === undefined || one['configuration'] === null ? undefined : JSON.stringify(one['configuration']),
      path: textAt(one, 'path'),
    }));
}

function readFile(content: string, product: Product): ReturnType<typeof readConfigurationFile> {
  return readConfigurationFile(content, { kind: 'AdmissionConfiguration', shape, product });
}

/** What `read` gives. @throws AdmissionConfigError for what is wrong with a file */
export function inAdmissionWords<Result>(lead: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new AdmissionConfigError(`${lead}: ${error.message}`, { cause: error });
    throw error;
  }
}
