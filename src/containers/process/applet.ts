import type { Invocation } from '../../shell/index.ts';
import type { Process } from './process.ts';

/** A program of an image; returns the exit code. */
export type Applet = (invocation: Invocation, process: Process) => Promise<number> | number;
