import { type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../meta/index.ts';

/** A pod or pod template in the shape that the checks need. */
export interface PodView {
  readonly spec: JsonObject;
  readonly annotations: Readonly<Record<string, string>>;
  readonly security: JsonObject;
  /** In upstream's order: init containers, containers, ephemeral containers. */
  readonly containers: readonly ContainerView[];
  readonly isWindows: boolean;
  readonly product: Product;
}

export interface ContainerView {
  readonly name: string;
  readonly container: JsonObject;
  readonly security: JsonObject;
}

export function createPodView(template: JsonObject, product: Product): PodView {
  const spec = recordAt(template, 'spec');
  return {
    spec,
    annotations: recordAt(recordAt(template, 'metadata'), 'annotations') as Readonly<Record<string, string>>,
    security: recordAt(spec, 'securityContext'),
    containers: ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
      objectsAt(spec, list).map((container) => ({
        name: textAt(container, 'name'),
        container,
        security: recordAt(container, 'securityContext'),
      })),
    ),
    isWindows: textAt(recordAt(spec, 'os'), 'name') === 'windows',
    product,
  };
}

export function quotedList(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(', ');
}

export function sortedSet(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

export function pluralize(singular: string, count: number, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}

/** `container "a"`, `containers "a", "b"`. */
export function formatContainers(names: readonly string[]): string {
  return `${pluralize('container', names.length)} ${quotedList(names)}`;
}

/** `pod and container "a"`: the parts that set a field. */
export function formatSubjects(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [formatContainers(containers)] : [])].join(' and ');
}
