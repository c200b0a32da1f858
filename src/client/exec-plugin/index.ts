/** Credential plugins (part 5.5): the kubeconfig entry, runs of the program, and requests with its credentials. */
export { ExecConfigError, execClusterOf, execProblems, readExecConfig } from './exec-config.ts';
export { ExecPluginError, type PluginCredentials } from './exec-credential.ts';
export { ExecPlugin, type PluginEnd, type PluginHost, type PluginRun } from './exec-plugin.ts';
export { pairProblem } from './key-pair.ts';
export { withExecPlugin } from './with-exec-plugin.ts';
