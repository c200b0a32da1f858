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

const startOfDeclaration = /^(?:package|import|type|const|var \(|func) ?/;

/**
 * The parts of a Go file that the catalog depends on, as Go: imports, types with their tags and markers, string constants with a type. All
 * other comments and declarations are removed.
 */
export function condenseGo(text: string): string {
  const condenser = new Condenser();
  for (const line of text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) condenser.add(line);
  return `${condenser.lines.join('\n').replace(/\nconst \(\n\)/g, '')}\n`;
}

class Condenser {
  /** The lines that are retained. */
  readonly lines: string[] = [];
  /** Markers of the next declaration, which are retained if it is a type. */
  #markers: string[] = [];
  /** Whether a comment before the line documents it. */
  #isDocumented = false;
  /** The declaration around the line. */
  #block: Block | undefined;

  add(line: string): void {
    if (line.trim().startsWith('//')) {
      this.#addComment(line);
      return;
    }
    if (this.#block === undefined && startOfDeclaration.test(line)) this.#startDeclaration(line);
    else if (this.#block !== undefined && /^[)}]/.test(line)) this.#endDeclaration(line);
    else this.#addMember(line);
    this.#markers = [];
    this.#isDocumented = false;
  }

  #startDeclaration(line: string): void {
    const block = blockOf(line);
    if (block === 'type') this.lines.push(...this.#markers);
    if (isRetained(line, block)) this.lines.push(withoutComment(line));
    const hasMembers = /[({]$/.test(line.trimEnd()) && !/^type .*\{\}$/.test(line);
    this.#block = hasMembers ? block : undefined;
  }

  #endDeclaration(line: string): void {
    if (this.#block !== 'other') this.lines.push(line);
    this.#block = undefined;
  }

  #addComment(line: string): void {
    if (!marker.test(line)) this.#isDocumented ||= line.trim() !== '//' && !anyMarker.test(line);
    else if (this.#block === 'type') this.lines.push(line);
    else this.#markers.push(line);
  }

  /** A field, or a constant. */
  #addMember(line: string): void {
    if (line.trim() === '' || this.#block === undefined || !isRetained(line, this.#block)) return;
    if (this.#block === 'type' && !this.#isDocumented) this.lines.push('\t// +undocumented');
    this.lines.push(withoutComment(line));
  }
}

/** The kinds of declarations: of types, of constants, of imports, or one that is removed. */
type Block = 'type' | 'const' | 'import' | 'other';

function blockOf(line: string): Block {
  if (line.startsWith('type ')) return / interface \{/.test(line) ? 'other' : 'type';
  if (line.startsWith('const')) return 'const';
  return line.startsWith('import') ? 'import' : 'other';
}

function isRetained(line: string, block: Block): boolean {
  if (block === 'const') return line === 'const (' || constant.test(line);
  return block !== 'other' || line.startsWith('package');
}

/** Comments after a field or constant; field tags contain no slashes. */
function withoutComment(line: string): string {
  return line.replace(/\s+\/\/.*$/, '');
}

/** Reads the condensed files of a package. @throws Error for a line that is not understood */
export function parseGo(text: string): GoPackage {
  const parser = new PackageParser();
  for (const line of text.split('\n')) parser.add(line);
  const { imports, structs, named, constants } = parser;
  return { imports, structs, named, constants };
}

class PackageParser {
  readonly imports = new Map<string, string>();
  readonly structs = new Map<string, GoStruct>();
  readonly named = new Map<string, GoNamedType>();
  readonly constants: GoConstant[] = [];
  /** Markers of the next type or field. */
  #markers: string[] = [];
  /** The block around the line. */
  #block: 'import' | 'const' | undefined;
  /** The fields of the struct around the line. */
  #fields: GoField[] | undefined;

  add(line: string): void {
    const [, marked] = marker.exec(line) ?? [];
    if (marked !== undefined) {
      this.#markers.push(marked);
      return;
    }
    if (/^[)}]/.test(line)) {
      this.#block = undefined;
      this.#fields = undefined;
    } else if (this.#fields) this.#fields.push(readField(line, readMarkers(this.#markers)));
    else if (line === 'import (') this.#block = 'import';
    else if (line === 'const (') this.#block = 'const';
    else this.#addDeclaration(line);
    this.#markers = [];
  }

  #addDeclaration(line: string): void {
    if (line === '' || line.startsWith('package ')) return;
    if (this.#block === 'import' || line.startsWith('import ')) this.imports.set(...readImport(line));
    else if (this.#block === 'const' || line.startsWith('const ')) this.constants.push(readConstant(line));
    else this.#addType(line);
  }

  #addType(line: string): void {
    const [, name = '', equals, type = ''] = /^type (\w+) (= )?(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`cannot read the Go source line: ${line}`);
    const markers = readMarkers(this.#markers);
    if (type === 'struct {' || type === 'struct{}') {
      const fields: GoField[] = [];
      this.structs.set(name, { fields, markers });
      if (type === 'struct {') this.#fields = fields;
    } else this.named.set(name, { type, isAlias: equals !== undefined, markers });
  }
}

function readConstant(line: string): GoConstant {
  const matched = constant.exec(line);
  if (!matched) throw new Error(`cannot read the Go source line: ${line}`);
  const [, name = '', type, plain, conversion, converted, other = ''] = matched;
  const literal = plain ?? converted;
  return { name, type: type ?? conversion ?? '', value: literal === undefined ? { of: other } : JSON.parse(literal) };
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
