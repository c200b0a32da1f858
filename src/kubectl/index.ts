/** kubectl, as a program of the shell. It uses the server through API requests only. */
export { ApiClient } from './api/client.ts';
export { type ApiResource, discoverResources, formatGroupVersion, qualifiedResourceName, resourcePath } from './api/discovery.ts';
export type { Completion } from './complete/completion-context.ts';
export { type ConsoleShell, createShell } from './console-shell.ts';
export { setEntry } from './kubeconfig/entries.ts';
export type { PluginCache } from './kubeconfig/transport.ts';
export { editDistance } from './program/suggest.ts';
export { itemsOf, metadataOf, nameOf } from './resources/info.ts';
export { runRemoteCommand } from './streams/remote-command.ts';
export { loadYamlPrinter, readYaml } from './yaml/read-yaml.ts';
