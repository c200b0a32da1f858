import { type JsonObject, objectsAt, type Product, textAt } from '../../meta/index.ts';
import {
  anything,
  ConfigurationFileError,
  listOf,
  readConfigurationFile,
  readTypedFile,
  struct,
  text,
  UnknownKindError,
} from '../configuration/configuration-file.ts';

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
  plugins: listOf(struct('AdmissionPluginConfiguration', { name: text, path: text, configuration: anything })),
});

/** Plugins whose settings may be the whole file, as before there was a kind for it. */
const unversioned: Readonly<Record<string, string>> = {
  ImagePolicyWebhook: 'imagePolicy',
  PodNodeSelector: 'podNodeSelectorPluginConfig',
};

/** Parses the file as the real server does; of several settings of one plugin, the first are used. @throws AdmissionConfigError */
export function readAdmissionConfig(content: string, product: Product): readonly PluginConfiguration[] {
  return convertConfigErrors('failed to read plugin config', () => {
    try {
      return readPlugins(readConfigurationFile(content, { kind: 'AdmissionConfiguration', shape, product }));
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
      const { document } = readTypedFile(content);
      if (!Object.values(unversioned).some((member) => member in document)) throw error;
      return Object.keys(unversioned).map((plugin) => ({ plugin, content, path: '' }));
    }
  });
}

function readPlugins(file: JsonObject): readonly PluginConfiguration[] {
  const plugins = objectsAt(file, 'plugins');
  return plugins
    .filter((one, index) => plugins.findIndex((other) => textAt(other, 'name') === textAt(one, 'name')) === index)
    .map((one) => ({
      plugin: textAt(one, 'name'),
      content: one['configuration'] === undefined || one['configuration'] === null ? undefined : JSON.stringify(one['configuration']),
      path: textAt(one, 'path'),
    }));
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
