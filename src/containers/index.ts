/** Containers whose images are emulated: processes with files, volumes, streams and signals; loaded on demand. */
import { loadPrograms as loadShellPrograms } from '../shell/index.ts';
import { loadServers } from './programs/loaded-applets.ts';

export type { ContainerImage, ContainerProcess, ContainerProgram } from './images/registered-image.ts';
export { createContainerRuntime } from './runtime.ts';

/** Loads what is otherwise loaded on first use. For hosts with a virtual clock, whose time must not pass while a module is loaded. */
export async function loadPrograms(): Promise<void> {
  await Promise.all([loadShellPrograms(), loadServers()]);
}
