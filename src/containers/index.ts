/** Containers whose images are emulated: processes with files, volumes, streams and signals; loaded on demand. */
export { createContainerRuntime } from './runtime.ts';
