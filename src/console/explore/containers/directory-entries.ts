/** An entry of a directory of a container. */
export interface DirectoryEntry {
  readonly name: string;
  readonly type: 'directory' | 'file' | 'link' | 'other';
  /** `drwxr-xr-x`. */
  readonly mode: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** The command that lists a directory, with tools that BusyBox and the GNU system have. The slash follows a link to a directory. */
export function listCommand(path: string): readonly string[] {
  const directory = path.replace(/\/*$/, '/');
  return ['find', directory, '-mindepth', '1', '-maxdepth', '1', '-exec', 'stat', '-c', '%F|%A|%s|%Y|%n', '{}', '+'];
}

const entryLine = /^([^|]*)\|([^|]*)\|(\d+)\|(\d+)\|(.*)$/;

/** The entries in the output of the command: directories first, by name. */
export function parseEntries(output: string): readonly DirectoryEntry[] {
  const entries = output.split('\n').flatMap((line): DirectoryEntry[] => {
    const [match, type = '', mode = '', bytes = '', seconds = '', path = ''] = entryLine.exec(line) ?? [];
    if (match === undefined) return [];
    return [
      { name: path.slice(path.lastIndexOf('/') + 1), type: typeOf(type), mode, bytes: Number(bytes), changedMs: Number(seconds) * 1_000 },
    ];
  });
  const order = ({ type, name }: DirectoryEntry): string => `${type === 'directory' ? 0 : 1}${name}`;
  return entries.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function typeOf(text: string): DirectoryEntry['type'] {
  if (text === 'directory') return 'directory';
  if (text === 'symbolic link') return 'link';
  return text.startsWith('regular') ? 'file' : 'other';
}

/** An absolute path without dots; the parent of a directory by `..`. */
export function joinPath(directory: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${directory}/${name}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
