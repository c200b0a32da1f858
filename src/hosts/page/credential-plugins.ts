import type { PluginEnd, PluginRun } from '../../client/exec-plugin/index.ts';

/** What a plugin is given, as a program would find it in its environment. */
export interface PluginInput {
  /** The ExecCredential that asks: `spec.interactive`, and `spec.cluster` where the kubeconfig lets it be told. */
  readonly credential: unknown;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A credential plugin of a page. Returns an ExecCredential with a status; throws what the user shall read. */
export type CredentialPlugin = (input: PluginInput) => unknown;

/** Runs the function that is registered under the name that a kubeconfig has as `command`. */
export async function runPagePlugin(plugins: ReadonlyMap<string, CredentialPlugin>, run: PluginRun): Promise<PluginEnd> {
  const plugin = plugins.get(run.command);
  if (!plugin) return { how: 'not-found' };
  const env = Object.fromEntries(run.env.map(({ name, value }) => [name, value]));
  try {
    const credential: unknown = JSON.parse(run.env.at(-1)?.value ?? 'null');
    const output = JSON.stringify(await plugin({ credential, args: run.args, env })) ?? '';
    return { how: 'ended', exitCode: 0, output };
  } catch (error) {
    return { how: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
