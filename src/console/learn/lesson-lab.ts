import { clusterApi, createClusters } from '../../client/index.ts';
import type { ConsoleShell } from '../../kubectl/index.ts';
import { type ApiHandler, withHeaders } from '../../meta/index.ts';
import type { CheckResults, Lab } from '../../tutorials/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { createConsoleShell } from '../model/console-shell.ts';
import { homeDirectory, identities, kubeconfigPath } from '../model/identities.ts';
import { newKubeconfig } from '../model/new-kubeconfig.ts';
import type { VirtualHome } from '../model/virtual-home.ts';
import type { LessonComponents } from './lesson-components.ts';
import { packText, unpackText } from './pack-text.ts';

const adminToken = identities.find(({ name }) => name === 'admin')?.token ?? '';

/** The copy for `restore`: the packed cluster and the files of the home directory. */
interface LabCopy {
  readonly cluster: Uint8Array;
  readonly files: Readonly<Record<string, string>>;
}

export interface LessonLabOptions {
  readonly model: ConsoleModel;
  readonly hostApi: ApiHandler;
  readonly components: LessonComponents;
}

/** The lab of a lesson: the cluster of its workspace and the home directory of its console. */
export function createLessonLab({ model, hostApi, components }: LessonLabOptions): Lab {
  const { id, names } = model.workspace;
  const { home, env, product } = model;
  const clusters = createClusters(hostApi);
  const api = withHeaders(clusterApi(hostApi, id), [['authorization', `Bearer ${adminToken}`]]);
  const newShell = (): ConsoleShell =>
    createConsoleShell({
      env,
      product,
      home,
      api: () => clusterApi(hostApi, id),
      internalApi: api,
      edit: async () => false,
      clear: () => undefined,
    });
  let shell = newShell();
  return {
    api,
    exists: async () => (await clusters.ids()).includes(id),
    async create({ snapshot }) {
      await components.replaceCluster(() => clusters.create(id, names, snapshot));
      await replaceFiles(home, { [kubeconfigPath]: newKubeconfig() });
      shell = newShell();
    },
    copy: async (): Promise<LabCopy> => ({ cluster: await packText(await clusters.copy(id)), files: await readFolder(home, '/') }),
    async restore(copy) {
      const { cluster, files } = copy as LabCopy;
      const content = await unpackText(cluster);
      await components.replaceCluster(() => clusters.create(id, names, content));
      await replaceFiles(home, files);
      shell = newShell();
    },
    run: (lines, signal = new AbortController().signal) => shell.run(lines, { signal, out: () => undefined, err: () => undefined }),
    writeFile: (name, text) => home.writeText(`${homeDirectory}/${name}`, text),
    files: () => readFolder(home, `${homeDirectory}/`),
    evaluateChecks: async (cels, facts) => (await clusters.evaluateChecks(id, { cels, facts })) as CheckResults,
  };
}

async function readFolder(home: VirtualHome, folder: string): Promise<Readonly<Record<string, string>>> {
  const paths = home.paths().filter((path) => path.startsWith(folder));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(folder === '/' ? 0 : folder.length), await home.readText(path)])),
  );
}

/** Replaces all files. Deletes those that are not in `files`. */
async function replaceFiles(home: VirtualHome, files: Readonly<Record<string, string>>): Promise<void> {
  for (const path of home.paths()) if (files[path] === undefined) await home.files.remove(path);
  for (const [path, text] of Object.entries(files)) await home.writeText(path, text);
}
