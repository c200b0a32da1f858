import { isJsonObject, type Json, type JsonObject, objectsAt, textAt, textsAt } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { metadataOf, nameOf, setMetadata } from '../resources/info.ts';
import { readDocuments } from '../resources/manifests.ts';
import { generateObjects, hashPlaceholder } from './generators.ts';
import { applyPatches } from './patches.ts';
import { setImages, setLabels, setReplicas, updateReferences } from './transformers.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Builds a kustomization: the subset of kustomize that learners use. @throws KubectlError */
export async function buildKustomization(call: Call, directory: string): Promise<readonly JsonObject[]> {
  const path = call.path(directory);
  const kind = await call.shell.files.kind(path);
  if (kind !== 'directory') {
    throw new KubectlError(
      `must build at directory: not a valid directory: evalsymlink failure on '${directory}' : lstat ${path}: no such file or directory`,
    );
  }
  return buildDirectory(call, path);
}

async function buildDirectory(call: Call, path: string): Promise<readonly JsonObject[]> {
  const file = await findFile(call, path);
  if (!file)
    throw new KubectlError(`unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${path}'`);
  const [from] = await readFile(call, file);
  const config = isJsonObject(from) ? from : {};
  let objects: JsonObject[] = [];
  for (const resource of textsAt(config, 'resources')) objects.push(...(await accumulate(call, path, resource)));
  objects.push(...(await generateObjects(call, path, config)));
  objects = await applyPatches(call, path, config, objects);
  if (config['commonLabels'] !== undefined) {
    call.err(
      "# Warning: 'commonLabels' is deprecated. Please use 'labels' instead. Run 'kustomize edit fix' to update your Kustomization automatically.\n",
    );
  }
  return sortByKind(renameObjects(transform(config, objects), config));
}

async function findFile(call: Call, path: string): Promise<string | undefined> {
  for (const name of fileNames) if ((await call.shell.files.kind(`${path}/${name}`)) === 'file') return `${path}/${name}`;
  return undefined;
}

async function readFile(call: Call, file: string): Promise<Json[]> {
  const content = await call.shell.files.read(file);
  const found: Json[] = [];
  for await (const document of readDocuments(new TextDecoder().decode(content ?? new Uint8Array()), file)) found.push(document);
  return found;
}

async function accumulate(call: Call, path: string, resource: string): Promise<readonly JsonObject[]> {
  const target = resolvePath('/', `${path}/${resource}`);
  const kind = await call.shell.files.kind(target);
  if (kind === 'directory') return buildDirectory(call, target);
  if (kind === 'file')
    return (await readFile(call, target))
      .filter(isJsonObject)
      .flatMap((one) => (Array.isArray(one['items']) && one['kind'] === 'List' ? objectsAt(one, 'items') : [one]));
  const missing = `evalsymlink failure on '${target}' : lstat ${target}: no such file or directory`;
  throw new KubectlError(
    `accumulating resources: accumulation err='accumulating resources from '${resource}': ${missing}': must build at directory: not a valid directory: ${missing}`,
  );
}

/** Cluster-scoped kinds that learners use. */
const clusterKinds = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'CustomResourceDefinition',
  'PriorityClass',
  'IngressClass',
  'RuntimeClass',
]);

function transform(config: JsonObject, objects: readonly JsonObject[]): JsonObject[] {
  const namespace = textAt(config, 'namespace');
  const annotations = isJsonObject(config['commonAnnotations']) ? config['commonAnnotations'] : undefined;
  const labelled = objects.map((object) => setLabels(config, object));
  return labelled.map((object) => {
    const placed = namespace !== '' && !clusterKinds.has(String(object['kind'])) ? setMetadata(object, { namespace }) : object;
    const annotated = annotations
      ? setMetadata(placed, { annotations: { ...(metadataOf(placed)['annotations'] as JsonObject | undefined), ...annotations } })
      : placed;
    return setReplicas(config, setImages(config, annotated));
  });
}

/** Applies name prefixes and suffixes, and updates references. */
function renameObjects(objects: readonly JsonObject[], config: JsonObject): JsonObject[] {
  const [prefix, suffix] = [textAt(config, 'namePrefix'), textAt(config, 'nameSuffix')];
  const names = new Map<string, string>();
  const renamed = objects.map((object) => {
    const generated = typeof object[hashPlaceholder] === 'string' ? object[hashPlaceholder] : '';
    const { [hashPlaceholder]: _, ...plain } = object;
    const fixed = object['kind'] === 'Namespace' || object['kind'] === 'CustomResourceDefinition';
    const name = fixed ? nameOf(object) : `${prefix}${nameOf(object)}${suffix}${generated}`;
    if (name !== nameOf(object)) names.set(`${String(object['kind'])}/${nameOf(object)}`, name);
    return setMetadata(plain, { name });
  });
  return names.size === 0 ? renamed : renamed.map((object) => updateReferences(object, names));
}

const order = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];

function sortByKind(objects: readonly JsonObject[]): JsonObject[] {
  const rank = (object: JsonObject): number => {
    const kind = String(object['kind']);
    const at = order.indexOf(kind);
    return kind.endsWith('WebhookConfiguration') ? 1000 : at < 0 ? 500 : at;
  };
  return [...objects].sort((left, right) => rank(left) - rank(right));
}
