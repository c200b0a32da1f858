import type { Selectors } from '../../../authz/index.ts';
import {
  type FieldError,
  type FieldRequirement,
  invalid,
  type LabelOperator,
  type LabelRequirement,
  parseFieldSelector,
  parseLabelSelector,
  required,
  SelectorError,
} from '../../../meta/index.ts';
import type { authorizationv1, metav1 } from '../../../schema/api/index.ts';
import { type Decoded, validateSelectorRequirement, validateSelectorValues } from '../../../schema/index.ts';

/** The parsed selectors of an access review, and the errors of the rest. */
export interface ReadSelectors {
  readonly selectors: Selectors;
  /** `spec.resourceAttributes.fieldSelector ignored due to parse error`. */
  readonly evaluationErrors: readonly string[];
}

/** A selector that could be read in part, or not at all. */
interface Parsed<T> {
  readonly requirements: readonly T[];
  readonly failed: boolean;
}

type Attributes = Decoded<authorizationv1.ResourceAttributes>;
/** Requirements of field selectors have the same members. */
type Selector = Decoded<authorizationv1.LabelSelectorAttributes>;
type Requirement = Decoded<metav1.LabelSelectorRequirement>;

/** Cf. upstream registry/authorization/util ResourceAttributesFrom. */
export function readSelectors({ fieldSelector, labelSelector }: Attributes): ReadSelectors {
  const field = parseSelector(fieldSelector, parseFieldSelector, fieldRequirement);
  const label = parseSelector(labelSelector, parseLabelSelector, labelRequirement);
  return {
    selectors: { field: field.requirements, label: label.requirements },
    evaluationErrors: [...parseErrorTexts('fieldSelector', field), ...parseErrorTexts('labelSelector', label)],
  };
}

function parseErrorTexts(name: string, { requirements, failed }: Parsed<unknown>): readonly string[] {
  if (!failed) return [];
  return [`spec.resourceAttributes.${name} ${requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`];
}

function parseSelector<T>(
  { rawSelector: raw = '', requirements = [] }: Selector = {},
  parse: (text: string) => readonly T[],
  read: (requirement: Requirement) => T | undefined,
): Parsed<T> {
  if (raw === '') {
    const all = requirements.map(read);
    const readable = all.filter((one) => one !== undefined);
    return { requirements: readable, failed: readable.length < all.length };
  }
  try {
    return { requirements: parse(raw), failed: false };
  } catch (error) {
    if (error instanceof SelectorError) return { requirements: [], failed: true };
    throw error;
  }
}

/** A field is compared with one value, or not at all. */
function fieldRequirement({ key = '', operator, values = [] }: Requirement): FieldRequirement | undefined {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0 || (operator !== 'In' && operator !== 'NotIn')) return undefined;
  return { field: key, equal: operator === 'In', value };
}

const operators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

function labelRequirement({ key = '', operator = '', values = [] }: Requirement): LabelRequirement | undefined {
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  return known && { key, operator: known, values };
}

/** Cf. upstream apis/authorization/validation validateResourceAttributes. */
export function selectorErrors({ fieldSelector, labelSelector }: Attributes = {}): readonly FieldError[] {
  const path = 'spec.resourceAttributes';
  return [
    ...errorsOf(fieldSelector, `${path}.fieldSelector`, (requirement, at) => [
      ...(requirement.key ? [] : [required(`${at}.key`, 'must be specified')]),
      ...valueErrors(requirement, at),
    ]),
    ...errorsOf(labelSelector, `${path}.labelSelector`, (requirement, at) =>
      validateSelectorRequirement(requirement, at, valueErrors(requirement, at)),
    ),
  ];
}

function errorsOf(
  selector: Selector | undefined,
  at: string,
  check: (requirement: Requirement, at: string) => readonly FieldError[],
): readonly FieldError[] {
  if (!selector) return [];
  const { rawSelector: raw = '', requirements = [] } = selector;
  return [
    ...(raw !== '' && requirements.length > 0
      ? [invalid(`${at}.rawSelector`, raw, 'may not specified at the same time as requirements')]
      : []),
    ...(raw === '' && requirements.length === 0
      ? [required(`${at}.requirements`, `when ${at} is specified, requirements or rawSelector is required`)]
      : []),
    ...requirements.flatMap((requirement, index) => check(requirement, `${at}.requirements[${index}]`)),
  ];
}

function valueErrors(requirement: Requirement, at: string): readonly FieldError[] {
  return Object.hasOwn(operators, requirement.operator ?? '') ? validateSelectorValues(requirement, at) : [];
}
