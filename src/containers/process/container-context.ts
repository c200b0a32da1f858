import type { Env } from '../../env/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { FileTree } from '../files/file-tree.ts';
import type { Applet } from './applet.ts';
import type { Listeners } from './listeners.ts';
import type { Process } from './process.ts';

/** What the processes of a container share. */
export interface ContainerContext {
  readonly env: Env;
  readonly files: FileTree;
  /** Programs of the image, by the name in their executable files; others are those of all images. */
  readonly programs: ReadonlyMap<string, Applet>;
  /** The listening sockets of the pod. */
  readonly listeners: Listeners;
  readonly hostname: string;
  /** The name with the domain of the pod, if it has one. */
  readonly fullHostname: string;
  readonly podIP: string;
  readonly workingDirectory: string;
  readonly isPrivileged: boolean;
  /** A program with the setuid bit may change the user. */
  readonly mayEscalate: boolean;
  readonly sysctls: ReadonlyMap<string, string>;
  /** Changed when the container is resized. */
  resources: corev1.ResourceRequirements;
  /** The living processes by their ID. */
  readonly processes: Map<number, Process>;
  /** Writes to the output of the first process, as `/proc/1/fd/1` does. */
  writeOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): void;
  /** Counts a subshell; the returned function is called at its end. @throws CommandError when the container has too many */
  startSubshell(): () => void;
  /** Lets other work of the event loop proceed; programs call it regularly. */
  pause(): Promise<void> | undefined;
}
