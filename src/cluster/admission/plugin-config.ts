import { convertConfigErrors } from './admission-config.ts';

/** Calls `read` and names the plugin in its errors. @throws AdmissionConfigError */
export function readPluginConfig<Result>(plugin: string, read: () => Result): Result {
  return convertConfigErrors(pluginErrorLead(plugin), read);
}

/** The beginning of errors of a plugin's settings. */
export function pluginErrorLead(plugin: string): string {
  return `couldn't init admission plugin ${JSON.stringify(plugin)}`;
}
