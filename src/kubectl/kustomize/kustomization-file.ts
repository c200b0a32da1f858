import { type Json, type JsonObject, sortMembers, textAt } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { decodeStruct } from './go-structs.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export interface KustomizationFile {
  readonly name: string;
  readonly config: JsonObject;
}

/** Reads the kustomization of a directory, and prints warnings about deprecated members. @throws KubectlError */
export async function readKustomization(call: Call, directory: string): Promise<KustomizationFile> {
  const { files } = call.shell;
  const found: string[] = [];
  for (const name of fileNames) if ((await files.kind(`${directory}/${name}`)) === 'file') found.push(name);
  const [name] = found;
  if (name === undefined)
    throw new KubectlError(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${directory}'`,
    );
  if (found.length > 1) throw new KubectlError(`Found multiple kustomization files under: ${directory}\n`);
  const text = new TextDecoder().decode((await files.read(`${directory}/${name}`)) ?? new Uint8Array());
  const config = await parse(text);
  for (const [member, advice] of deprecated) {
    if (config[member] === undefined || config[member] === null) continue;
    const experimental = member === 'vars' ? '[EXPERIMENTAL] ' : '';
    call.err(
      `# Warning: '${member}' is deprecated. Please use '${advice}' instead. ${experimental}Run 'kustomize edit fix' to update your Kustomization automatically.\n`,
    );
  }
  checkType(config, directory);
  return { name, config };
}

const deprecated: readonly (readonly [member: string, advice: string])[] = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
  ['vars', 'replacements'],
];

async function parse(text: string): Promise<JsonObject> {
  try {
    return decodeStruct('Kustomization', sortMembers((await readYaml(text)) ?? {}) as Json, 'json');
  } catch (error) {
    throw new KubectlError(`invalid Kustomization: ${messageOf(error)}`);
  }
}

/** Cf. kustomize Kustomization CheckEmpty and EnforceFields. @throws KubectlError */
function checkType(content: JsonObject, directory: string): void {
  const members = Object.entries(content).filter(([name, value]) => name !== 'kind' && name !== 'apiVersion' && value !== null);
  if (members.length === 0) throw new KubectlError('kustomization.yaml is empty');
  const kind = textAt(content, 'kind') || 'Kustomization';
  const apiVersion = textAt(content, 'apiVersion');
  const wanted = kind === 'Component' ? 'kustomize.config.k8s.io/v1alpha1' : 'kustomize.config.k8s.io/v1beta1';
  const errors = [
    ...(kind === 'Kustomization' || kind === 'Component' ? [] : ['kind should be Kustomization or Component']),
    ...(apiVersion === '' || apiVersion === wanted ? [] : [`apiVersion for ${kind} should be ${wanted}`]),
  ];
  if (errors.length > 0) throw new KubectlError(`Failed to read kustomization file under ${directory}:\n${errors.join('\n')}`);
}
