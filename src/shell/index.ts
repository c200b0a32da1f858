/** A POSIX-like shell on virtual files. It knows no Kubernetes: kubectl is one of its programs. */
export { filterPrograms, loadFilters } from './builtins/filters/load-filters.ts';
export { readNumber, readOptionalNumber, sizeFactors } from './builtins/read-number.ts';
export type { Invocation, Program, ShellDialect, ShellServices, ShellState, Streams } from './context.ts';
export { createShell, type LineStreams, type Shell } from './create-shell.ts';
export { CommandError, ControlTransfer, ShellSyntaxError } from './errors.ts';
export { baseName, createMemoryFiles, FileError, type FileSystem, fileMessages, resolvePath } from './files.ts';
export { globToRegExp } from './glob.ts';
export { loadPrograms } from './load-programs.ts';
export { isIncomplete } from './parser.ts';
export { chunksOf, piecesOf } from './pieces.ts';
export {
  linesOf,
  Pipe,
  readAll,
  readText,
  type Source,
  sourceOf,
  type Terminal,
  type TerminalSession,
  type TerminalSize,
  type Write,
} from './streams.ts';
export { formatTarEntry, readTar, type TarEntry, TarError, tarEnd } from './tar.ts';
export { LineEditor, type TerminalSignal } from './terminal/line-editor.ts';
export { diffLines, splitLines, unifiedDiff } from './unified-diff.ts';
