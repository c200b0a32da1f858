import { type Product, sameJson } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { annotatedProfile } from '../core/app-armor.ts';

/** Deprecated annotations of pods and templates that fields have replaced. */
const deprecatedAnnotations: readonly (readonly [key: string, text: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const seccompText = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** `path`: of the pod template; empty for a pod. */
export function annotationWarnings(pod: Decoded<corev1.PodTemplateSpec>, path: string, product: Product): readonly string[] {
  const { given, at } = annotationsOf(pod, path);
  return deprecatedAnnotations.flatMap(([name, text]) => {
    const key = product.rename(name);
    return Object.hasOwn(given, key) ? [`${at}[${key}]: ${text}`] : [];
  });
}

/** Warns of seccomp and AppArmor annotations without the corresponding fields. */
export function profileWarnings(pod: Decoded<corev1.PodTemplateSpec>, path: string, product: Product): readonly string[] {
  const { given, at } = annotationsOf(pod, path);
  if (Object.keys(given).length === 0) return [];
  const spec = pod.spec ?? {};
  const whole = spec.securityContext ?? {};
  const key = product.rename('seccomp.security.alpha.kubernetes.io/pod');
  const ofPod = whole.seccompProfile === undefined && Object.hasOwn(given, key) ? [`${at}[${key}]: ${seccompText}`] : [];
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const [each, armor] = [
    product.rename('container.seccomp.security.alpha.kubernetes.io/'),
    product.rename('container.apparmor.security.beta.kubernetes.io/'),
  ];
  return [
    ...ofPod,
    ...containers.flatMap((container) => {
      const [name, context] = [container.name ?? '', container.securityContext ?? {}];
      const unset = context.seccompProfile === undefined && Object.hasOwn(given, each + name);
      const profile = Object.hasOwn(given, armor + name) ? annotatedProfile(given[armor + name] ?? '') : null;
      // A pod's field was set from the annotation on create.
      const isField = path === '' ? !sameJson(context.appArmorProfile, profile ?? undefined) : context.appArmorProfile !== undefined;
      const isSame = whole.appArmorProfile !== undefined && sameJson(whole.appArmorProfile, profile ?? undefined);
      return [
        ...(unset ? [`${at}[${each}${name}]: ${seccompText}`] : []),
        ...(profile === null || isField || isSame
          ? []
          : [`${at}[${armor}${name}]: deprecated since v1.30; use the "appArmorProfile" field instead`]),
      ];
    }),
  ];
}

interface Annotations {
  readonly given: Decoded<Readonly<Record<string, string>>>;
  readonly at: string;
}

function annotationsOf(pod: Decoded<corev1.PodTemplateSpec>, path: string): Annotations {
  return { given: pod.metadata?.annotations ?? {}, at: `${path === '' ? '' : `${path}.`}metadata.annotations` };
}
