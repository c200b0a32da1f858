import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** A pod or pod template in the shape that the checks need. */
export interface PodView {
  readonly spec: Decoded<corev1.PodSpec>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly security: Decoded<corev1.PodSecurityContext>;
  /** In upstream's order: init containers, containers, ephemeral containers. */
  readonly containers: readonly ContainerView[];
  readonly isWindows: boolean;
  readonly product: Product;
}

/** Ephemeral containers have the same members. */
export type Container = Decoded<corev1.Container>;

/** The fields that pods and containers have. */
export type AnySecurityContext = Pick<Decoded<corev1.SecurityContext>, keyof corev1.SecurityContext & keyof corev1.PodSecurityContext>;

export interface ContainerView {
  readonly name: string;
  readonly container: Container;
  readonly security: Decoded<corev1.SecurityContext>;
}

export function createPodView({ metadata, spec = {} }: Decoded<corev1.PodTemplateSpec>, product: Product): PodView {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return {
    spec,
    annotations: (metadata?.annotations ?? {}) as Readonly<Record<string, string>>,
    security: spec.securityContext ?? {},
    containers: containers.map((container) => ({
      name: container.name ?? '',
      container,
      security: container.securityContext ?? {},
    })),
    isWindows: spec.os?.name === 'windows',
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
