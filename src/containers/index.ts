/** Containers whose images are emulated: processes with files, volumes, streams and signals; loaded on demand. */
export { loadPrograms } from '../shell/index.ts';
export type { ContainerImage, ContainerProcess, ContainerProgram } from './images/registered-image.ts';
export { createContainerRuntime } from './runtime.ts';
