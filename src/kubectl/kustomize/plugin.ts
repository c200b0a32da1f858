import type { JsonObject } from '../../meta/index.ts';
import type { Origin } from './origins.ts';
import type { Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import type { SourceFolder } from './source-files.ts';

/** Changes the resources of a kustomization. @throws KubectlError */
export type Transform = (set: ResourceSet) => void | Promise<void>;

/** Makes resources. @throws KubectlError */
export type Generate = () => Promise<readonly Resource[]>;

/**
 * Reads and checks the configuration of a builtin plugin, with the files that it names. `show`: the configuration as it is written.
 * @throws KubectlError
 */
export type Configure<Run = Transform> = (folder: SourceFolder, config: JsonObject, show: () => string) => Run | Promise<Run>;

/** A configured plugin. */
export interface Plugin<Run> {
  readonly run: Run;
  /** Where it comes from; undefined if origins are not recorded. */
  readonly origin: Origin | undefined;
}
