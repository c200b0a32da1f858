import type { Clock } from '../../env/index.ts';

/** The lesson files of a folder, by name. */
export type LessonFiles = ReadonlyMap<string, string>;

const lessonFile = /\.(?:md|ya?ml|json|sh)$/i;
const fileMaxBytes = 1024 * 1024;
const filesMax = 200;
const pollIntervalMs = 1_000;

/** The used part of the File System Access API, which not every browser supports. */
export interface FolderHandle {
  readonly kind: 'directory';
  readonly name: string;
  values(): AsyncIterable<FolderHandle | { readonly kind: 'file'; readonly name: string; getFile(): Promise<File> }>;
}

export async function readTexts(files: Iterable<File>): Promise<LessonFiles> {
  return readNamed(files, ({ name }) => name);
}

/** Reads the files of a selected folder and those below it, by path. */
export async function readTree(files: Iterable<File>): Promise<LessonFiles> {
  return readNamed(files, ({ webkitRelativePath: path }) => path.slice(path.indexOf('/') + 1));
}

async function readNamed(files: Iterable<File>, nameOf: (file: File) => string): Promise<LessonFiles> {
  const fit = [...files].filter(({ name, size }) => lessonFile.test(name) && size <= fileMaxBytes).slice(0, filesMax);
  return new Map(await Promise.all(fit.map(async (file) => [nameOf(file), await file.text()] as const)));
}

/** Reports a folder's texts now and after each change, until the returned function is called. */
export function watchFolder(folder: FolderHandle, clock: Clock, changed: (files: LessonFiles) => void): () => void {
  let known = '';
  let cancel = (): void => undefined;
  let ended = false;
  const poll = async (): Promise<void> => {
    const files = await filesIn(folder);
    const state = files.map(({ name, size, lastModified }) => `${name} ${size} ${lastModified}`).join('\n');
    if (ended || state === known) return;
    known = state;
    const texts = await readTexts(files);
    if (!ended) changed(texts);
  };
  const pollAgain = (): void => {
    // A file that is deleted during the read is reported by the next poll.
    const next = (): void => {
      if (!ended) cancel = clock.schedule(pollIntervalMs, pollAgain);
    };
    void poll().then(next, next);
  };
  pollAgain();
  return () => {
    ended = true;
    cancel();
  };
}

async function filesIn(folder: FolderHandle): Promise<readonly File[]> {
  const files: File[] = [];
  for await (const entry of folder.values()) {
    if (entry.kind === 'file' && lessonFile.test(entry.name)) files.push(await entry.getFile());
    if (files.length === filesMax) break;
  }
  return files;
}

/** The dropped items: a folder that can be watched, or the texts of files. */
export async function readDrop({ items, files }: DataTransfer): Promise<FolderHandle | LessonFiles> {
  const plain = [...files];
  const [first] = items as unknown as Iterable<{
    getAsFileSystemHandle?(): Promise<FolderHandle | { readonly kind: 'file' } | null>;
    webkitGetAsEntry(): FileSystemEntry | null;
  }>;
  const entry = first?.webkitGetAsEntry() ?? null;
  const handle = await first?.getAsFileSystemHandle?.();
  if (handle?.kind === 'directory') return handle;
  return readTexts(entry?.isDirectory === true ? await entryFiles(entry as FileSystemDirectoryEntry) : plain);
}

/** For browsers in which a dropped folder cannot be watched. */
async function entryFiles(folder: FileSystemDirectoryEntry): Promise<readonly File[]> {
  const reader = folder.createReader();
  const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  const files = entries.filter((entry): entry is FileSystemFileEntry => entry.isFile);
  return Promise.all(files.map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))));
}
