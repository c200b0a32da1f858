import type { JsonObject, Product } from '../../meta/index.ts';
import type { StructSchema } from '../../schema/index.ts';
import { ConfigurationFileError, decodeTyped, readRegisteredFile } from '../configuration/configuration-file.ts';
import { convertConfigErrors } from './admission-config.ts';

/** Calls `read` and names the plugin in its errors. @throws AdmissionConfigError */
export function readPluginConfig<Result>(plugin: string, read: () => Result): Result {
  return convertConfigErrors(`couldn't init admission plugin ${JSON.stringify(plugin)}`, read);
}

/** The kinds and the schema of the settings of a plugin. */
export interface PluginConfigKind {
  /** The kind in each `group/version`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly shape: StructSchema;
  /** Unknown and duplicate fields are errors. */
  readonly strict: boolean;
  readonly product: Product;
}

/** Decodes the settings of a plugin. @throws ConfigurationFileError */
export function decodePluginConfig(content: string, { kinds, shape, strict, product }: PluginConfigKind): JsonObject {
  const { document, duplicates } = readRegisteredFile(content, (apiVersion, kind) =>
    Object.entries(kinds).some(([groupVersion, known]) => apiVersion === product.rename(groupVersion) && kind === known),
  );
  const { value, unknown } = decodeTyped(document, shape);
  const wrong = [...duplicates, ...unknown];
  if (strict && wrong.length > 0) throw new ConfigurationFileError(`strict decoding error: ${wrong.join(', ')}`);
  return value;
}
