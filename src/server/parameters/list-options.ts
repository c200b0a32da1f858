import {
  attachedValues,
  badRequest,
  type FeatureGates,
  type FieldError,
  type FieldRequirements,
  forbiddenField,
  type LabelRequirements,
  type Product,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '../../meta/index.ts';
import { refuse } from './options.ts';
import { isTrue, readInteger } from './query-values.ts';

/** Parsed parameters of a list or watch (part 4.4), not yet validated together. */
export interface ListParameters {
  readonly watch: boolean;
  readonly limit: number;
  readonly continue: string;
  /** As sent: it is validated where it is used. */
  readonly resourceVersion: string;
  readonly match: string;
  readonly labels: LabelRequirements;
  readonly fields: FieldRequirements;
  readonly allowBookmarks: boolean;
  /** Undefined when not set. */
  readonly sendInitialEvents: boolean | undefined;
  /** Undefined: the server's default. */
  readonly timeoutSeconds: number | undefined;
}

export interface ListOptions extends ListParameters {
  readonly match: '' | 'Exact' | 'NotOlderThan';
}

/** Cache of parsed parameters: a query is parsed once to determine the verb and once by the verb. */
const readBefore = attachedValues<URLSearchParams, ListParameters>();

/** @throws StatusError 400 */
export function readListParameters(query: URLSearchParams): ListParameters {
  const known = readBefore.get(query);
  if (known) return known;
  const parameters = decodeParameters(query);
  readBefore.set(query, parameters);
  return parameters;
}

/** In kube-apiserver's decoding order. @throws StatusError 400 */
function decodeParameters(query: URLSearchParams): ListParameters {
  const timeoutSeconds = readInteger(query, 'timeoutSeconds');
  const limit = readInteger(query, 'limit') ?? 0;
  return {
    watch: isTrue(query, 'watch'),
    timeoutSeconds,
    limit,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    labels: readSelector(parseLabelSelector, query.get('labelSelector')),
    fields: readSelector(parseFieldSelector, query.get('fieldSelector')),
    allowBookmarks: isTrue(query, 'allowWatchBookmarks'),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query, 'sendInitialEvents') : undefined,
  };
}

/** @throws StatusError 400 */
function readSelector<Requirements>(parse: (text: string) => Requirements, text: string | null): Requirements {
  try {
    return parse(text ?? '');
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message, error);
    throw error;
  }
}

/** @throws StatusError 400 for unparsable values, 422 for invalid combinations */
export function readListOptions(
  query: URLSearchParams,
  { product, featureGates }: { readonly product: Product; readonly featureGates: FeatureGates },
): ListOptions {
  const watchList = featureGates.enabled('WatchList');
  const options = withInitialEvents(readListParameters(query), watchList);
  refuse('ListOptions', options.watch ? watchErrors(options, watchList) : listErrors(options), product);
  return options as ListOptions;
}

/** A watch that starts with synthetic ADDED events anyway is treated as if sendInitialEvents were set (upstream SetListOptionsDefaults). */
function withInitialEvents(options: ListParameters, watchList: boolean): ListParameters {
  const { watch, match, sendInitialEvents, resourceVersion } = options;
  const anywhere = resourceVersion === '' || resourceVersion === '0';
  if (!watchList || !watch || !anywhere || match !== '' || sendInitialEvents !== undefined) return options;
  return { ...options, match: 'NotOlderThan', sendInitialEvents: true };
}

const field = 'resourceVersionMatch';

function listErrors({ match, resourceVersion, continue: token, sendInitialEvents }: ListParameters): FieldError[] {
  const errors: FieldError[] = [];
  const initial = sendInitialEvents === undefined ? [] : [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (match === '') return initial;
  if (resourceVersion === '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (token !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  errors.push(...unknownMatch(match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && resourceVersion === '0')
    errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  return [...errors, ...initial];
}

function watchErrors({ match, continue: token, sendInitialEvents }: ListParameters, watchList: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan')
      errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (!watchList) {
      const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbiddenField('sendInitialEvents', why));
    }
  } else if (match !== '')
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match === '') return errors;
  errors.push(...unknownMatch(match, ['NotOlderThan']));
  if (token !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/** The supported values are not sorted: the empty one comes last, as in kube-apiserver. */
function unknownMatch(match: string, supported: readonly string[]): FieldError[] {
  if (supported.includes(match)) return [];
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  return [
    {
      reason: 'FieldValueNotSupported',
      field,
      message: `Unsupported value: ${JSON.stringify(match)}: supported values: ${list}`,
    },
  ];
}
