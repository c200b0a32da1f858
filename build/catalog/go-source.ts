/** A field of a Go struct. */
export interface GoField {
  /** Empty for an embedded struct. */
  readonly name: string;
  readonly type: string;
  /** By key: `json`, `protobuf`, `patchStrategy`, `patchMergeKey`. */
  readonly tags: ReadonlyMap<string, string>;
  readonly markers: Markers;
}

/** Comment tags of code generators by name: `// +listType=map` is `listType` → [`map`]. */
export type Markers = ReadonlyMap<string, readonly string[]>;

export interface GoStruct {
  readonly markers: Markers;
  readonly fields: readonly GoField[];
}

/** `type X string`, `type X []Y`, `type X = Y`. */
export interface GoNamedType {
  readonly markers: Markers;
  readonly type: string;
  /** `type X = Y` */
  readonly isAlias: boolean;
}

/** A string constant with a type of the package. */
export interface GoConstant {
  readonly name: string;
  readonly type: string;
  /** A string, or the constant of another package: `v1.IPv4Protocol`. */
  readonly value: string | { readonly of: string };
}

/** The types of a Go package. */
export interface GoPackage {
  /** Import paths by local name. */
  readonly imports: ReadonlyMap<string, string>;
  readonly structs: ReadonlyMap<string, GoStruct>;
  readonly named: ReadonlyMap<string, GoNamedType>;
  readonly constants: readonly GoConstant[];
}

/** The comment tags that the catalog depends on. */
const marker =
  /^\s*\/\/ ?\+((?:optional|required|default|enum|listType|listMapKey|mapType|structType|union|unionDiscriminator|protobuf\.nullable|undocumented)\b(?!:).*)$/;
const anyMarker = /^\s*\/\/ ?\+/;
/** `Name Type = "value"`, `Name = Type("value")`, `Name = Type(package.Constant)`. */
const constant = /^\s*(?:const )?(?!const )(\w+) +(?:(\w+) += +("(?:[^"\\]|\\.)*")|= +([A-Z]\w*)\((?:("(?:[^"\\]|\\.)*")|(\w+\.\w+))\))/;

/**
 * The parts of a Go file that the catalog depends on, as Go: imports, types with their tags and markers, string constants with a type. All
 * other comments and declarations are removed.
 */
export function condenseGo(text: string): string {
  const retained: string[] = [];
  let comments: string[] = [];
  let isDocumented = false;
  let block: 'type' | 'const' | 'import' | 'other' | undefined;
  for (const line of text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) {
    if (block === undefined && /^(?:package|import|type|const|var \(|func) ?/.test(line)) {
      block = blockOf(line);
      if (block === 'type') retained.push(...comments);
      if (isRetained(line, block)) retained.push(withoutComment(line));
      if (!/[({]$/.test(line.trimEnd()) || /^type .*\{\}$/.test(line)) block = undefined;
    } else if (block !== undefined && /^[)}]/.test(line)) {
      if (block !== 'other') retained.push(line);
      block = undefined;
    } else if (marker.test(line)) {
      if (block === 'type') retained.push(line);
      else comments.push(line);
      continue;
    } else if (line.trim().startsWith('//')) {
      isDocumented ||= line.trim() !== '//' && !anyMarker.test(line);
      continue;
    } else if (line.trim() !== '' && block !== undefined && isRetained(line, block)) {
      if (block === 'type' && !isDocumented) retained.push('\t// +undocumented');
      retained.push(withoutComment(line));
    }
    comments = [];
    isDocumented = false;
  }
  return `${retained.join('\n').replace(/\nconst \(\n\)/g, '')}\n`;
}

function blockOf(line: string): 'type' | 'const' | 'import' | 'other' {
  if (line.startsWith('type ')) return / interface \{/.test(line) ? 'other' : 'type';
  if (line.startsWith('const')) return 'const';
  return line.startsWith('import') ? 'import' : 'other';
}

function isRetained(line: string, block: 'type' | 'const' | 'import' | 'other'): boolean {
  if (block === 'const') return line === 'const (' || constant.test(line);
  return block !== 'other' || line.startsWith('package');
}

/** Comments after a field or constant; field tags contain no slashes. */
function withoutComment(line: string): string {
  return line.replace(/\s+\/\/.*$/, '');
}

/** Reads the condensed files of a package. @throws Error for a line that is not understood */
export function parseGo(text: string): GoPackage {
  const imports = new Map<string, string>();
  const structs = new Map<string, { markers: Markers; fields: GoField[] }>();
  const named = new Map<string, GoNamedType>();
  const constants: GoConstant[] = [];
  let markers: string[] = [];
  let open: 'import' | 'const' | undefined;
  let struct: { fields: GoField[] } | undefined;
  for (const line of text.split('\n')) {
    const marked = marker.exec(line);
    if (marked) {
      markers.push(marked[1] ?? '');
      continue;
    }
    const value = open === 'const' || line.startsWith('const ') ? constant.exec(line) : undefined;
    if (/^[)}]/.test(line)) {
      open = undefined;
      struct = undefined;
    } else if (struct) {
      struct.fields.push(readField(line, readMarkers(markers)));
    } else if (value) {
      const [, name = '', type, plain, conversion, converted, other = ''] = value;
      const literal = plain ?? converted;
      constants.push({ name, type: type ?? conversion ?? '', value: literal === undefined ? { of: other } : JSON.parse(literal) });
    } else if (line === 'import (' || line === 'const (') {
      open = line === 'import (' ? 'import' : 'const';
    } else if (open === 'import' || line.startsWith('import ')) {
      const [name, path] = readImport(line);
      imports.set(name, path);
    } else {
      const [, name = '', equals, type = ''] = /^type (\w+) (= )?(.*)$/.exec(line) ?? [];
      if (type === 'struct {') {
        struct = { fields: [] };
        structs.set(name, { ...struct, markers: readMarkers(markers) });
      } else if (type === 'struct{}') structs.set(name, { fields: [], markers: readMarkers(markers) });
      else if (name !== '') named.set(name, { type, isAlias: equals !== undefined, markers: readMarkers(markers) });
      else if (line !== '' && !line.startsWith('package ')) throw new Error(`cannot read the Go source line: ${line}`);
    }
    markers = [];
  }
  return { imports, structs, named, constants };
}

function readImport(line: string): readonly [name: string, path: string] {
  const [, name, path = ''] = /^(?:import)?\s*(\w+)?\s*"([^"]+)"/.exec(line) ?? [];
  return [name ?? path.slice(path.lastIndexOf('/') + 1), path];
}

function readMarkers(lines: readonly string[]): Markers {
  const markers = new Map<string, string[]>();
  for (const line of lines) {
    const cut = line.indexOf('=');
    const [name, value] = cut < 0 ? [line, ''] : [line.slice(0, cut), line.slice(cut + 1)];
    markers.set(name.trim(), [...(markers.get(name.trim()) ?? []), value.trim()]);
  }
  return markers;
}

function readField(line: string, markers: Markers): GoField {
  const [, name = '', type = '', tagText = ''] = /^\s*(?:(\w+)\s+)?([*\w.[\]{}]+)\s*(?:`(.*)`)?$/.exec(line) ?? [];
  if (type === '') throw new Error(`cannot read the field of a Go struct: ${line}`);
  return { name, type, markers, tags: new Map([...tagText.matchAll(/(\w+):"([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])) };
}
