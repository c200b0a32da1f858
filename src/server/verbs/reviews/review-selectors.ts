import type { Selectors } from '../../../authz/index.ts';
import {
  type FieldError,
  type FieldRequirement,
  forbiddenField,
  invalid,
  isLabelValue,
  isQualifiedName,
  type JsonObject,
  type LabelOperator,
  type LabelRequirement,
  objectsAt,
  parseFieldSelector,
  parseLabelSelector,
  recordAt,
  required,
  SelectorError,
  textAt,
} from '../../../meta/index.ts';

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

/** Cf. upstream registry/authorization/util ResourceAttributesFrom. */
export function readSelectors(attributes: JsonObject): ReadSelectors {
  const field = parseSelector(recordAt(attributes, 'fieldSelector'), parseFieldSelector, fieldRequirement);
  const label = parseSelector(recordAt(attributes, 'labelSelector'), parseLabelSelector, labelRequirement);
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
  selector: JsonObject,
  parse: (text: string) => readonly T[],
  read: (requirement: JsonObject) => T | undefined,
): Parsed<T> {
  const raw = textAt(selector, 'rawSelector');
  if (raw === '') {
    const all = objectsAt(selector, 'requirements').map(read);
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
function fieldRequirement(requirement: JsonObject): FieldRequirement | undefined {
  const operator = textAt(requirement, 'operator');
  const [value, ...more] = textsOf(requirement);
  if (value === undefined || more.length > 0 || (operator !== 'In' && operator !== 'NotIn')) return undefined;
  return { field: textAt(requirement, 'key'), equal: operator === 'In', value };
}

const operators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

function labelRequirement(requirement: JsonObject): LabelRequirement | undefined {
  const operator = textAt(requirement, 'operator');
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  return known && { key: textAt(requirement, 'key'), operator: known, values: textsOf(requirement) };
}

function textsOf(requirement: JsonObject): readonly string[] {
  const { values } = requirement as { readonly values?: readonly string[] };
  return values ?? [];
}

/** Cf. upstream apis/authorization/validation validateResourceAttributes. */
export function selectorErrors(attributes: JsonObject): readonly FieldError[] {
  const path = 'spec.resourceAttributes';
  return [
    ...errorsOf(attributes, 'fieldSelector', path, (requirement, at) =>
      textAt(requirement, 'key') === ''
        ? [required(`${at}.key`, 'must be specified'), ...valueErrors(requirement, at)]
        : valueErrors(requirement, at),
    ),
    ...errorsOf(attributes, 'labelSelector', path, (requirement, at) => [
      ...valueErrors(requirement, at),
      ...isQualifiedName(textAt(requirement, 'key')).map((why) => invalid(`${at}.key`, textAt(requirement, 'key'), why)),
      ...textsOf(requirement).flatMap((value, index) => isLabelValue(value).map((why) => invalid(`${at}.values[${index}]`, value, why))),
    ]),
  ];
}

function errorsOf(
  attributes: JsonObject,
  name: string,
  path: string,
  check: (requirement: JsonObject, at: string) => readonly FieldError[],
): readonly FieldError[] {
  if (attributes[name] === undefined || attributes[name] === null) return [];
  const at = `${path}.${name}`;
  const selector = recordAt(attributes, name);
  const raw = textAt(selector, 'rawSelector');
  const requirements = objectsAt(selector, 'requirements');
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

function valueErrors(requirement: JsonObject, at: string): readonly FieldError[] {
  const count = textsOf(requirement).length;
  switch (textAt(requirement, 'operator')) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? [] : [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [];
  }
}
