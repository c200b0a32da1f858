import { collectErrors, type FieldError, forbiddenField, invalid } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { type Errors, none } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateDescendingPath } from '../volumes/paths.ts';

/** Annotations of a pod or template that nodes interpret. Cf. upstream ValidatePodSpecificAnnotations. */
export function validatePodAnnotations(object: Decoded<corev1.Pod>, path: string, { rename }: ValidationContext): Errors {
  const annotations = annotationsOf(object);
  const names = Object.keys(annotations);
  if (names.length === 0) return none;
  const spec = object.spec ?? {};
  const [mirror, cost] = [rename(mirrorName), rename('controller.kubernetes.io/pod-deletion-cost')];
  const errors: FieldError[] = [];
  if (Object.hasOwn(annotations, mirror) && (spec.nodeName ?? '') === '') {
    errors.push(invalid(`${path}[${mirror}]`, annotations[mirror], 'must set spec.nodeName if mirror pod annotation is set'));
  }
  if (Object.hasOwn(annotations, cost) && !isInt32(annotations[cost] ?? '')) {
    errors.push(invalid(`${path}[${cost}]`, annotations[cost], 'must be a 32bit integer'));
  }
  const [whole, each] = [rename('seccomp.security.alpha.kubernetes.io/pod'), rename('container.seccomp.security.alpha.kubernetes.io/')];
  if (Object.hasOwn(annotations, whole)) errors.push(...validateSeccompProfile(annotations[whole], `${path}.${whole}`));
  for (const name of names) {
    if (name.startsWith(each)) errors.push(...validateSeccompProfile(annotations[name], `${path}.${name}`));
  }
  const prefix = rename(appArmorPrefix);
  const containers = new Set(
    (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) => (spec[list] ?? []).map((one) => one.name ?? '')),
  );
  return [
    ...errors,
    ...collectErrors(
      names.filter((name) => name.startsWith(prefix)),
      (name) => validateAppArmor(name, prefix, annotations, containers, path),
    ),
  ];
}

/** Annotations that are immutable after creation. Cf. upstream ValidatePodSpecificAnnotationUpdates. */
export function validatePodAnnotationsUpdate(next: Decoded<corev1.Pod>, old: Decoded<corev1.Pod>, context: ValidationContext): Errors {
  const [annotations, before] = [annotationsOf(next), annotationsOf(old)];
  const [mirror, prefix] = [context.rename(mirrorName), context.rename(appArmorPrefix)];
  const fixed = (name: string, verb: string): Errors => {
    const path = `metadata.annotations[${name}]`;
    if (name === mirror) return [forbiddenField(path, `may not ${verb} mirror pod annotation`)];
    return name.startsWith(prefix) ? [forbiddenField(path, `may not ${verb} AppArmor annotations`)] : none;
  };
  const changed = Object.keys(before).filter((name) => !Object.hasOwn(annotations, name) || annotations[name] !== before[name]);
  const added = Object.keys(annotations).filter((name) => !Object.hasOwn(before, name));
  return [
    ...collectErrors(changed, (name) => fixed(name, 'remove or update')),
    ...collectErrors(added, (name) => fixed(name, 'add')),
    ...validatePodAnnotations(next, 'metadata.annotations', context),
  ];
}

const mirrorName = 'kubernetes.io/config.mirror';
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

type Annotations = Decoded<Readonly<Record<string, string>>>;

const annotationsOf = ({ metadata }: Decoded<corev1.Pod>): Annotations => metadata?.annotations ?? {};

/** Parses like Go, but rejects a plus sign and leading zeros. */
function isInt32(text: string): boolean {
  if (!/^(?:0|-\d+|[1-9]\d*)$/.test(text)) return false;
  const number = Number(text);
  return number >= -(2 ** 31) && number < 2 ** 31;
}

function validateSeccompProfile(profile = '', path: string): Errors {
  const local = 'localhost/';
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return none;
  if (profile.startsWith(local)) return validateDescendingPath(profile.slice(local.length), path);
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

function validateAppArmor(name: string, prefix: string, annotations: Annotations, containers: ReadonlySet<string>, path: string): Errors {
  const [container, profile = ''] = [name.slice(prefix.length), annotations[name]];
  const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/');
  return [
    ...(containers.has(container) ? none : [invalid(`${path}[${name}]`, container, 'container not found')]),
    ...(isKnown ? none : [invalid(`${path}[${name}]`, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)]),
  ];
}
