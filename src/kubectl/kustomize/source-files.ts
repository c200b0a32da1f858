import { formatGoValue, isJsonObject, type Json, type JsonObject, objectsAt, textAt } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { metadataOf, nameOf, textsOf } from '../resources/info.ts';
import { readDocuments } from '../resources/manifests.ts';
import { MalformedYamlError } from './errors.ts';
import { loadRestrictionsNone } from './flags.ts';

/** The directory whose files a kustomization and its plugins may read. */
export interface SourceFolder {
  readonly call: Call;
  readonly root: string;
}

/** Reads a file of a kustomization, which must be in or below its directory. @throws KubectlError */
export async function readSourceFile({ call, root }: SourceFolder, file: string): Promise<Uint8Array> {
  const path = resolvePath(root, file);
  // Errors show an absolute path as it is written.
  const shown = file.startsWith('/') ? file : path;
  const kind = await call.shell.files.kind(path);
  if (kind === undefined) throw new KubectlError(await missingPath(call, path, shown));
  if (kind === 'directory') throw new KubectlError(`'${shown}' must resolve to a file`);
  const isRestricted = !call.flags.has('load-restrictor') || call.flags.text('load-restrictor') !== loadRestrictionsNone;
  if (isRestricted && !path.startsWith(`${root === '/' ? '' : root}/`))
    throw new KubectlError(`security; file '${shown}' is not in or below '${root}'`);
  return (await call.shell.files.read(path)) ?? new Uint8Array();
}

/** The error for a path whose first missing part it names. `shown`: the path in the message, if it is another one. */
export async function missingPath({ shell }: Call, path: string, shown: string = path): Promise<string> {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/')).slice(1);
  let problem = `lstat ${path}: no such file or directory`;
  for (const prefix of prefixes) {
    const kind = await shell.files.kind(prefix);
    if (kind === 'directory') continue;
    problem = kind === 'file' ? 'not a directory' : `lstat ${prefix}: no such file or directory`;
    break;
  }
  return `evalsymlink failure on '${shown}' : ${problem}`;
}

export async function readSourceText(folder: SourceFolder, file: string): Promise<string> {
  return new TextDecoder().decode(await readSourceFile(folder, file));
}

/** The objects of a text; `List`s are replaced by their items. @throws KubectlError */
export async function parseObjects(text: string, source: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const document of await parseDocuments(text, source)) {
    if (!isJsonObject(document)) throw new KubectlError(`missing Resource metadata in ${source}`);
    found.push(...itemsOf(document));
  }
  for (const object of found) {
    if (textAt(object, 'kind') === '') throw new KubectlError(`missing kind in object ${dump(object)}`);
    if (nameOf(object) === '' || typeof metadataOf(object)['name'] === 'object')
      throw new KubectlError(`missing metadata.name in object ${dump(object)}`);
  }
  return found;
}

/** Type and metadata in Go's format. */
function dump(object: JsonObject): string {
  const metadata = metadataOf(object);
  const [labels, annotations] = [metadata['labels'], metadata['annotations']].map((texts) => formatGoValue(textsOf(texts)));
  const names = `${textAt(metadata, 'name')} ${textAt(metadata, 'namespace')}`;
  return `{{${textAt(object, 'apiVersion')} ${textAt(object, 'kind')}} {{${names}} ${labels} ${annotations}}}`;
}

async function parseDocuments(text: string, source: string): Promise<readonly Json[]> {
  const found: Json[] = [];
  try {
    // The YAML of kustomize has fewer booleans than that of kubectl.
    for await (const document of readDocuments(text, source, 'strings')) if (document !== null) found.push(document);
  } catch (error) {
    const problem = messageOf(error).replace(/^error parsing .*?: (error converting YAML to JSON: )?/, '');
    throw new MalformedYamlError(`MalformedYAMLError: ${problem} in File: ${source}`);
  }
  return found;
}

function itemsOf(document: JsonObject): readonly JsonObject[] {
  return textAt(document, 'kind').endsWith('List') && Array.isArray(document['items']) ? objectsAt(document, 'items') : [document];
}
