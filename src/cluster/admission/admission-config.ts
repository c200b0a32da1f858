import type { Product } from '../../meta/index.ts';
import { objectsAt, textAt } from '../../meta/index.ts';
import { ConfigurationFileError, listOf, readConfigurationFile, struct, text } from '../configuration/configuration-file.ts';

/** An invalid `--admission-control-config-file`, or invalid plugin settings in it. The message is the real server's. */
export class AdmissionConfigError extends Error {
  override readonly name = 'AdmissionConfigError';
}

/** The configuration of one plugin in the file. */
export interface PluginConfiguration {
  readonly plugin: string;
  /** Inline settings as JSON; undefined: they may be in the file at `path`. */
  readonly content: string | undefined;
  /** Path of a settings file; empty: none. */
  readonly path: string;
}

const shape = struct('AdmissionConfiguration', {
  kind: text,
  apiVersion: text,
  plugins: listOf(
    struct('AdmissionPluginConfiguration', { name: text, path: text, configuration: { form: 'untyped', topology: 'atomic', type: 'any' } }),
  ),
});

/** Parses the file as the real server does; of several settings of one plugin, the first are used. @throws AdmissionConfigError */
export function readAdmissionConfig(content: string, product: Product): readonly PluginConfiguration[] {
  const plugins = objectsAt(
    convertConfigErrors('failed to read plugin config', () => readFile(content, product)),
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

/** Calls `read` and converts its errors. @throws AdmissionConfigError for an invalid file */
export function convertConfigErrors<Result>(lead: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationFileError) throw new AdmissionConfigError(`${lead}: ${error.message}`, { cause: error });
    throw error;
  }
}
