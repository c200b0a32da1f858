import { convertConfigErrors } from './admission-config.ts';

/** Calls `read` and names the plugin in its errors. @throws AdmissionConfigError */
export function readPluginConfig<Result>(plugin: string, read: () => Result): Result {
  return convertConfigErrors(`couldn't init admission plugin ${JSON.stringify(plugin)}`, read);
}
