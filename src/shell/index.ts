/** A POSIX-like shell on virtual files. It knows no Kubernetes: kubectl is one of its programs. */
export type { Invocation, Program, ShellDialect, ShellState, Streams } from './context.ts';
export { createShell, type LineStreams, type Shell } from './create-shell.ts';
export { CommandError, ControlTransfer, ShellSyntaxError } from './errors.ts';
export { baseName, createMemoryFiles, FileError, type FileSystem, fileMessages, resolvePath } from './files.ts';
export { globToRegExp } from './glob.ts';
export { isIncomplete } from './parser.ts';
export { joinBytes, linesOf, Pipe, readAll, readText, type Source, sourceOf, type Write } from './streams.ts';
export { diffLines, splitLines, unifiedDiff } from './unified-diff.ts';
