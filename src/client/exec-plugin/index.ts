/** Credential plugins (part 5.5): the kubeconfig entry, runs of the program, and requests with its credentials. */
export { ExecConfigError, readExecConfig, toExecCluster, validateExecConfig } from './exec-config.ts';
export { ExecPluginError, type PluginCredentials } from './exec-credential.ts';
export { ExecPlugin, type PluginHost, type PluginResult, type PluginRun } from './exec-plugin.ts';
export { validateKeyPair } from './key-pair.ts';
export { withExecPlugin } from './with-exec-plugin.ts';
