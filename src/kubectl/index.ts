/** The console's command language: a shell with kubectl. It uses the server through API requests only. */
export { ApiClient, type CompletedRequest } from './api/client.ts';
export { type ApiResource, discoverResources, formatGroupVersion, qualifiedResourceName, resourcePath } from './api/discovery.ts';
export { diffLines, splitLines } from './commands/unified-diff.ts';
export type { Candidate, Completion } from './complete/completion-context.ts';
export { type ConsoleShell, createShell, type KubectlShellOptions } from './console-shell.ts';
export { setEntry } from './kubeconfig/access.ts';
export type { PluginCache } from './kubeconfig/transport.ts';
export { editDistance } from './program/suggest.ts';
export { itemsOf, metadataOf } from './resources/info.ts';
export type { Invocation, Program, ShellState } from './shell/context.ts';
export type { LineStreams } from './shell/create-shell.ts';
export { createMemoryFiles, FileError, type FileSystem, fileMessages, resolvePath } from './shell/files.ts';
export { isIncomplete } from './shell/parser.ts';
export { loadYamlPrinter, readYaml } from './yaml/read-yaml.ts';
