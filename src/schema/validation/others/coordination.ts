import { forbiddenField, invalid, isQualifiedName, type JsonObject, required } from '../../../meta/index.ts';
import { numberAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, immutable, nameErrors, none, positive, requiredText, unsupported } from '../checks.ts';
import type { KindValidators } from '../kind-validator.ts';
import { compareSemanticVersions, isSemanticVersion } from '../semantic-version.ts';
import { plainMetadataUpdate } from '../update-validators.ts';

/** Lease and LeaseCandidate. Cf. upstream pkg/apis/coordination/validation. */
export const coordinationValidators: KindValidators = {
  'coordination.Lease': { create: lease, update: (next, old) => [...plainMetadataUpdate(next, old), ...lease(next)] },
  'coordination.LeaseCandidate': {
    create: candidate,
    update: (next, old) => [
      ...plainMetadataUpdate(next, old),
      ...candidate(next),
      ...immutable(textAt(recordAt(next, 'spec'), 'leaseName'), textAt(recordAt(old, 'spec'), 'leaseName'), 'spec.leaseName'),
    ],
  },
};

const knownStrategy = 'OldestEmulationVersion';

function lease(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const transitions = numberAt(spec, 'leaseTransitions');
  const chosen = optionalTextAt(spec, 'strategy');
  const prefers = textAt(spec, 'preferredHolder') !== '' && (chosen ?? '') === '';
  return [
    ...positive(numberAt(spec, 'leaseDurationSeconds'), 'spec.leaseDurationSeconds'),
    ...(transitions !== undefined && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : none),
    ...(chosen === undefined ? none : strategy(chosen)),
    ...(prefers ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')] : none),
  ];
}

function candidate(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const [emulation, binary] = [textAt(spec, 'emulationVersion'), textAt(spec, 'binaryVersion')];
  const why = 'must be greater than or equal to `emulationVersion`';
  return [
    ...requiredText(spec, 'leaseName', 'spec'),
    ...(emulation === '' ? none : version(emulation, 'spec.emulationVersion')),
    ...(binary === '' ? [required('spec.binaryVersion', '')] : version(binary, 'spec.binaryVersion')),
    ...(binary !== '' && emulation !== '' && compareSemanticVersions(binary, emulation) < 0
      ? [invalid('spec.binaryVersion', binary, why)]
      : none),
    ...candidateStrategy(textAt(spec, 'strategy'), emulation),
  ];
}

function candidateStrategy(chosen: string, emulation: string): Errors {
  if (chosen === '') return [required('spec.strategy', '')];
  const isNothing = compareSemanticVersions(emulation, '0.0.0') === 0;
  const why = `must be specified when \`strategy\` is '${knownStrategy}'`;
  return [...(chosen === knownStrategy && isNothing ? [required('spec.emulationVersion', why)] : none), ...strategy(chosen)];
}

function version(text: string, path: string): Errors {
  return isSemanticVersion(text) ? none : [invalid(path, text, 'must be a valid semantic version')];
}

/** A known strategy, or a custom one with a prefix. Upstream repeats `strategy` in the path. */
function strategy(chosen: string): Errors {
  if (chosen.includes('/')) return nameErrors(isQualifiedName, chosen, 'spec.strategy.strategy');
  return chosen === knownStrategy ? none : [unsupported('spec.strategy.strategy', chosen, [knownStrategy])];
}
