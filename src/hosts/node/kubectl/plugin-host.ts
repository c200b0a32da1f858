import { spawn } from 'node:child_process';
import type { PluginHost, PluginResult } from '../../../client/exec-plugin/index.ts';
import { systemErrorMessage } from '../config/named-file.ts';

/** Runs credential plugins as child processes, with the user's standard error. */
export const programPlugins: PluginHost = {
  isTerminal: () => process.stdin.isTTY === true,
  run: ({ command, args, env, interactive }) =>
    new Promise((resolve) => {
      const added = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const child = spawn(command, args, {
        env: { ...process.env, ...added },
        stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      const chunks: Buffer[] = [];
      child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('error', (error) => resolve(startError(command, error)));
      child.on('close', (code) => resolve({ how: 'ended', exitCode: code ?? -1, output: Buffer.concat(chunks).toString() }));
    }),
};

/** Error of a plugin that could not be started: not installed for a plain name, the system's reason for a path. */
function startError(command: string, error: Error): PluginResult {
  const isName = !command.includes('/');
  const reason = systemErrorMessage(error) ?? error.message;
  return isName ? { how: 'not-found' } : { how: 'failed', why: `fork/exec ${command}: ${reason}` };
}
