import { type FieldError, invalid, type JsonObject, recordAt, textAt } from '../../meta/index.ts';

export const group = 'wardle.example.com';

/** A resource of the sample API server. */
export interface WardleResource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** Preferred version first. */
  readonly versions: readonly WardleVersion[];
  /** The members of a request's object as they are stored (those of v1beta1). */
  readonly toStored: (object: JsonObject, version: WardleVersion) => JsonObject;
  readonly fromStored: (object: JsonObject, version: WardleVersion) => JsonObject;
  readonly validate: (stored: JsonObject) => readonly FieldError[];
}

export type WardleVersion = 'v1alpha1' | 'v1beta1';

/** Versions in the order of preference: the sample API server sets v1beta1 before v1alpha1. */
export const versions: readonly WardleVersion[] = ['v1beta1', 'v1alpha1'];

const textMembers = (values: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Cf. Convert_v1alpha1_FlunderSpec_To_wardle_FlunderSpec and its default. */
function storedSpec(spec: JsonObject): JsonObject {
  const reference = textAt(spec, 'reference');
  const referenceType = textAt(spec, 'referenceType') || (reference === '' ? '' : 'Flunder');
  const flunderReference = referenceType === 'Flunder' ? reference : '';
  const fischerReference = referenceType === 'Fischer' ? reference : '';
  return textMembers({
    flunderReference,
    fischerReference,
    referenceType: /^(?:Flunder|Fischer)$/.test(referenceType) ? referenceType : '',
  });
}

function alphaSpec(spec: JsonObject): JsonObject {
  const referenceType = textAt(spec, 'referenceType');
  return textMembers({ reference: textAt(spec, 'flunderReference') || textAt(spec, 'fischerReference'), referenceType });
}

const betaSpec = (spec: JsonObject): JsonObject =>
  textMembers({
    flunderReference: textAt(spec, 'flunderReference'),
    fischerReference: textAt(spec, 'fischerReference'),
    referenceType: textAt(spec, 'referenceType'),
  });

/** Cf. ValidateFlunderSpec. */
function validateFlunder(stored: JsonObject): readonly FieldError[] {
  const spec = recordAt(stored, 'spec');
  const [flunder, fischer, type] = ['flunderReference', 'fischerReference', 'referenceType'].map((name) => textAt(spec, name)) as [
    string,
    string,
    string,
  ];
  const isKnown = type === '' || type === 'Flunder' || type === 'Fischer';
  return [
    ...referenceErrors(flunder, fischer, type),
    ...(isKnown ? [] : [invalid('spec.referenceType', type, 'must be Flunder or Fischer')]),
  ];
}

function referenceErrors(flunder: string, fischer: string, type: string): readonly FieldError[] {
  const [flunderField, fischerField] = ['spec.flunderReference', 'spec.fischerReference'] as const;
  if (flunder !== '' && fischer !== '') return [invalid(fischerField, fischer, 'cannot be set with flunderReference at the same time')];
  if (flunder !== '' && type !== 'Flunder') return [invalid(flunderField, flunder, 'cannot be set if referenceType is not Flunder')];
  if (fischer !== '' && type !== 'Fischer') return [invalid(fischerField, fischer, 'cannot be set if referenceType is not Fischer')];
  if (fischer === '' && type === 'Fischer') return [invalid(fischerField, fischer, 'cannot be empty if referenceType is Fischer')];
  if (flunder === '' && type === 'Flunder') return [invalid(flunderField, flunder, 'cannot be empty if referenceType is Flunder')];
  return [];
}

const disallowedFlunders = (object: JsonObject): JsonObject => {
  const names = object['disallowedFlunders'];
  return Array.isArray(names) && names.length > 0 ? { disallowedFlunders: names } : {};
};

/** Cf. k8s.io/sample-apiserver pkg/apis/wardle. */
export const resources: readonly WardleResource[] = [
  {
    plural: 'flunders',
    singular: 'flunder',
    kind: 'Flunder',
    isNamespaced: true,
    versions,
    toStored: (object, version) => {
      const spec = recordAt(object, 'spec');
      return { spec: version === 'v1alpha1' ? storedSpec(spec) : betaSpec(spec), status: {} };
    },
    fromStored: (object, version) => {
      const spec = recordAt(object, 'spec');
      return { spec: version === 'v1alpha1' ? alphaSpec(spec) : betaSpec(spec), status: {} };
    },
    validate: validateFlunder,
  },
  {
    plural: 'fischers',
    singular: 'fischer',
    kind: 'Fischer',
    isNamespaced: false,
    versions: ['v1alpha1'],
    toStored: disallowedFlunders,
    fromStored: disallowedFlunders,
    validate: () => [],
  },
];
