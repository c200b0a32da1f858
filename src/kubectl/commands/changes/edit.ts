import { isJsonObject, type Json, type JsonObject, StatusError, withoutManagedFields } from '../../../meta/index.ts';
import { createMergePatch, createStrategicPatch } from '../../../patch/index.ts';
import { qualifiedResourceName } from '../../api/discovery.ts';
import { bool, text } from '../../parse/flags.ts';
import { compactJson } from '../../printers/json.ts';
import { createPrinter } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { fileFlags, managerFlag, outputFlags, recordFlag, validateFlag } from '../../program/global-flags.ts';
import { Builder, missingResourceMessage } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { parseValidation, patchObject } from '../../resources/changes.ts';
import { type Info, nameOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { schemaOf } from '../../resources/schema-of.ts';
import { printYaml } from '../../yaml/printer.ts';
import { readYaml } from '../../yaml/read-yaml.ts';

const header = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

export const edit: Command = {
  flags: {
    ...fileFlags,
    ...outputFlags,
    ...recordFlag,
    ...validateFlag,
    ...managerFlag('kubectl-edit'),
    'output-patch': bool(),
    'save-config': bool(),
    subresource: text(),
    'windows-line-endings': bool(),
  },
  run: runEdit,
};

async function runEdit(call: Call): Promise<number> {
  if (call.words.length === 0 && call.flags.list('filename').length === 0) throw new KubectlError(missingResourceMessage);
  const request = await requestFromFlags(call, { latest: true, typeMeansAll: true, subresource: call.flags.text('subresource') });
  const { infos, error } = await new Builder(call, request).infos();
  if (error !== undefined) throw error;
  if (infos.length === 0) throw new KubectlError('edit cancelled, no objects found');
  const objects = infos.map(({ object }) => withoutManagedFields(object ?? {}));
  const shown = objects.length === 1 ? (objects[0] ?? {}) : { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} };
  return new EditSession(call, infos).run(printYaml(shown as Json));
}

/** An edit session: reopens the editor while the server rejects the changes. */
class EditSession {
  readonly #call: Call;
  readonly #infos: readonly Info[];

  constructor(call: Call, infos: readonly Info[]) {
    this.#call = call;
    this.#infos = infos;
  }

  async run(original: string): Promise<number> {
    const call = this.#call;
    let text = header + original;
    let rejectedText: string | undefined;
    let problems: readonly string[] = [];
    for (;;) {
      const { text: edited, path } = await openEditor(call, text);
      if (rejectedText !== undefined && removeComments(edited) === rejectedText) return this.#cancel(path);
      if (edited === text || removeComments(edited) === removeComments(original)) {
        await call.shell.files.remove(path);
        call.err('Edit cancelled, no changes made.\n');
        return 0;
      }
      const failure = await this.#save(edited, path);
      if (failure === undefined) {
        await call.shell.files.remove(path);
        return 0;
      }
      problems = failure;
      rejectedText = removeComments(edited);
      text = withProblems(edited, problems);
    }
  }

  #cancel(path: string): number {
    this.#call.err(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
    throw new KubectlError('Edit cancelled, no valid changes were saved.');
  }

  /** Undefined when all changes were saved, otherwise the reasons. */
  async #save(edited: string, path: string): Promise<readonly string[] | undefined> {
    const call = this.#call;
    let value: Json;
    try {
      value = await readYaml(edited);
    } catch (error) {
      return [`The edited file had a syntax error: error parsing edited-file: error converting YAML to JSON: ${messageOf(error)}`];
    }
    const objects = objectsIn(value);
    const [first] = this.#infos;
    if (objects.length === 0 && first) {
      call.err(`error: ${qualifiedResourceName(first.resource)} ${JSON.stringify(first.name)} is invalid\n`);
      return ['the edited file holds no object'];
    }
    for (const object of objects) {
      const info = this.#infos.find((one) => one.name === nameOf(object) && one.resource.kind === object['kind']);
      if (!info) {
        call.err(`A copy of your changes has been stored to ${JSON.stringify(path)}\n`);
        throw new KubectlError('At least one of apiVersion, kind and name was changed');
      }
      try {
        await this.#patch(info, object);
      } catch (error) {
        return this.#problemsOf(info, error);
      }
    }
    return undefined;
  }

  /** The reasons of an error that the user can correct by editing again. @throws any other error */
  #problemsOf({ resource, name }: Info, error: unknown): readonly string[] {
    if (!(error instanceof StatusError) || (error.reason !== 'Invalid' && error.reason !== 'BadRequest')) throw error;
    const object = `${qualifiedResourceName(resource)} ${JSON.stringify(name)}`;
    if (error.reason === 'Invalid') this.#call.err(`error: ${object} is invalid\n`);
    const causes = error.details?.causes ?? [];
    if (causes.length === 0) return [error.message];
    return [`${object} was not valid:`, ...causes.map(({ field, message }) => `* ${field}: ${message}`)];
  }

  async #patch(info: Info, edited: JsonObject): Promise<void> {
    const call = this.#call;
    const before = withoutManagedFields(info.object ?? {});
    const wanted = withChangeCause(call, edited);
    const schema = schemaOf(call.product, info.resource);
    const patch = schema ? createStrategicPatch(before, wanted, schema) : createMergePatch(before, wanted);
    if (Object.keys(patch).length === 0) return call.err('Edit cancelled, no changes made.\n');
    const text = compactJson(patch);
    if (call.flags.bool('output-patch')) call.out(`Patch: ${text}\n`);
    const subresource = call.flags.text('subresource');
    const options = { manager: call.flags.text('field-manager'), dryRun: 'none' as const, validation: parseValidation(call) };
    const changed = await patchObject(
      call,
      info,
      schema ? 'strategic' : 'merge',
      text,
      subresource === '' ? options : { ...options, subresource },
    );
    call.out((await createPrinter(call, { operation: 'edited' }))(changed));
  }
}

/** The objects of a list, or the single object. */
function objectsIn(value: Json): readonly JsonObject[] {
  if (!isJsonObject(value)) return [];
  return value['kind'] === 'List' && Array.isArray(value['items']) ? value['items'].filter(isJsonObject) : [value];
}

function removeComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
}

function withProblems(edited: string, problems: readonly string[]): string {
  return `${header}${problems.map((line) => `# ${line}\n`).join('')}#\n${removeComments(edited)}`;
}

/** Uses KUBE_EDITOR or EDITOR when the shell has that program, else the host's editor. @throws KubectlError */
async function openEditor(call: Call, text: string): Promise<{ readonly text: string; readonly path: string }> {
  const { shell, environment, state, ...streams } = call;
  const path = `/tmp/kubectl-edit-${shell.random.integer(2_000_000_000) + 1_000_000_000}.yaml`;
  await shell.files.makeDirectory('/tmp');
  await shell.files.write(path, new TextEncoder().encode(text));
  const editor = environment.get('KUBE_EDITOR') ?? environment.get('EDITOR') ?? '';
  const name = editor.trim().split(/\s+/, 1)[0] ?? '';
  if (name !== '' && !shell.has(name)) throw new KubectlError(`unable to launch the editor ${JSON.stringify(editor)}`);
  if (name !== '') {
    const code = await shell.runLine(`${editor} ${path}`, state, {
      input: streams.input,
      out: streams.out,
      err: streams.err,
      signal: streams.signal,
    });
    if (code !== 0) throw new KubectlError(`there was a problem with the editor ${JSON.stringify(editor)}`);
  } else if (!shell.edit) throw new KubectlError('unable to launch the editor "vi"');
  else if (!(await shell.edit(path))) return { text, path };
  const content = await shell.files.read(path);
  return { text: new TextDecoder().decode(content ?? new Uint8Array()), path };
}

/** Opens a text in the editor; undefined without changes. */
export async function editText(call: Call, before: string): Promise<JsonObject | undefined> {
  const { text, path } = await openEditor(call, header + before);
  await call.shell.files.remove(path);
  if (removeComments(text).trim() === '' || removeComments(text) === before) return undefined;
  const value = await readYaml(text);
  if (!isJsonObject(value)) throw new KubectlError('the edited file holds no object');
  return value;
}
