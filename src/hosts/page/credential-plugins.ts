import type { PluginResult, PluginRun } from '../../client/exec-plugin/index.ts';
import { errorMessage } from '../../env/index.ts';

/** The input of a plugin, as an exec plugin gets it in its environment. */
export interface PluginInput {
  /** The ExecCredential request: `spec.interactive`, and `spec.cluster` if the kubeconfig has `provideClusterInfo`. */
  readonly credential: unknown;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A credential plugin of a page. Returns an ExecCredential with a status; throws an error with a message for the user. */
export type CredentialPlugin = (input: PluginInput) => unknown;

/** Runs the function registered under the `command` of a kubeconfig's exec plugin. */
export async function runPagePlugin(plugins: ReadonlyMap<string, CredentialPlugin>, run: PluginRun): Promise<PluginResult> {
  const plugin = plugins.get(run.command);
  if (!plugin) return { how: 'not-found' };
  const env = Object.fromEntries(run.env.map(({ name, value }) => [name, value]));
  try {
    const credential: unknown = JSON.parse(run.env.at(-1)?.value ?? 'null');
    const output = JSON.stringify(await plugin({ credential, args: run.args, env })) ?? '';
    return { how: 'ended', exitCode: 0, output };
  } catch (error) {
    return { how: 'failed', why: errorMessage(error) };
  }
}
