import { forbiddenField, invalid, isQualifiedName, required } from '../../../meta/index.ts';
import type { coordinationv1, coordinationv1beta1 } from '../../api/index.ts';
import { type Errors, none, unsupported, validateImmutable, validateNameWith, validatePositive, validateRequiredText } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators } from '../kind-validator.ts';
import { compareSemanticVersions, isSemanticVersion } from '../semantic-version.ts';
import { validateObjectMetaAccessorUpdate } from '../update-validators.ts';

/** Lease and LeaseCandidate. Cf. upstream pkg/apis/coordination/validation. */
export const coordinationValidators: KindValidators = {
  'coordination.Lease': {
    create: validateLease,
    update: (next, old) => [...validateObjectMetaAccessorUpdate(next, old), ...validateLease(next)],
  },
  'coordination.LeaseCandidate': {
    create: validateCandidate,
    update: (next, old) => [
      ...validateObjectMetaAccessorUpdate(next, old),
      ...validateCandidate(next),
      ...validateImmutable(next.spec?.leaseName ?? '', old.spec?.leaseName ?? '', 'spec.leaseName'),
    ],
  },
};

const knownStrategy = 'OldestEmulationVersion';

function validateLease(object: Decoded<coordinationv1.Lease>): Errors {
  const spec = object.spec ?? {};
  const transitions = spec.leaseTransitions;
  const chosen = spec.strategy;
  const prefers = (spec.preferredHolder ?? '') !== '' && (chosen ?? '') === '';
  return [
    ...validatePositive(spec.leaseDurationSeconds, 'spec.leaseDurationSeconds'),
    ...(transitions !== undefined && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : none),
    ...(chosen === undefined ? none : validateStrategy(chosen)),
    ...(prefers ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')] : none),
  ];
}

function validateCandidate(object: Decoded<coordinationv1beta1.LeaseCandidate>): Errors {
  const spec = object.spec ?? {};
  const [emulation, binary] = [spec.emulationVersion ?? '', spec.binaryVersion ?? ''];
  const why = 'must be greater than or equal to `emulationVersion`';
  return [
    ...validateRequiredText(spec, 'leaseName', 'spec'),
    ...(emulation === '' ? none : validateVersion(emulation, 'spec.emulationVersion')),
    ...(binary === '' ? [required('spec.binaryVersion', '')] : validateVersion(binary, 'spec.binaryVersion')),
    ...(binary !== '' && emulation !== '' && compareSemanticVersions(binary, emulation) < 0
      ? [invalid('spec.binaryVersion', binary, why)]
      : none),
    ...validateCandidateStrategy(spec.strategy ?? '', emulation),
  ];
}

function validateCandidateStrategy(chosen: string, emulation: string): Errors {
  if (chosen === '') return [required('spec.strategy', '')];
  const isNothing = compareSemanticVersions(emulation, '0.0.0') === 0;
  const why = `must be specified when \`strategy\` is '${knownStrategy}'`;
  return [...(chosen === knownStrategy && isNothing ? [required('spec.emulationVersion', why)] : none), ...validateStrategy(chosen)];
}

function validateVersion(text: string, path: string): Errors {
  return isSemanticVersion(text) ? none : [invalid(path, text, 'must be a valid semantic version')];
}

/** A known strategy, or a custom one with a prefix. Upstream repeats `strategy` in the path. */
function validateStrategy(chosen: string): Errors {
  if (chosen.includes('/')) return validateNameWith(isQualifiedName, chosen, 'spec.strategy.strategy');
  return chosen === knownStrategy ? none : [unsupported('spec.strategy.strategy', chosen, [knownStrategy])];
}
