/** Shared basics of all modules: product names, object metadata, Status and its errors, selectors, quantities and times. */

export { aggregate } from './aggregate-errors.ts';
export {
  type ApiObject,
  type MetadataChanges,
  metadataOrder,
  type ObjectMeta,
  type OwnerReference,
  withMetadata,
  withoutManagedFields,
} from './api-object.ts';
export {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type Attempt,
  attemptIdHeader,
  headersOf,
  type Peer,
  type RequestHeaders,
  type ResponseBody,
} from './api-request.ts';
export {
  type Base64Encoding,
  Base64Error,
  base64ToBytes,
  base64UrlToBytes,
  bytesToBase64,
  bytesToBase64Url,
  checkBase64,
  normalizeBase64,
} from './base64.ts';
export { type BootstrapSecret, isBootstrapSecret, readBootstrapSecret } from './bootstrap-secret.ts';
export { utf8Text } from './decode-utf8.ts';
export { DurationError, formatDuration, parseDuration } from './duration.ts';
export { createFeatureGates, type FeatureGate, FeatureGateError, type FeatureGates, parseTruth } from './feature-gates/index.ts';
export {
  collectErrors,
  duplicate,
  type FieldError,
  type FieldErrorReason,
  forbiddenField,
  invalid,
  maxErrorTextLength,
  notFoundField,
  notListed,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.ts';
export {
  type FieldRequirement,
  type FieldRequirements,
  formatFieldRequirements,
  matchesFields,
  parseFieldSelector,
  requiredValue,
} from './field-selector.ts';
export { labelSelectorText } from './format-label-selector.ts';
export { goQuote, goQuotedList } from './go-quote.ts';
export { formatGoNumber, goSyntax, goText, goType, sortedMembers, sortedMembersInSteps } from './go-values.ts';
export { hostRefusal } from './host-error.ts';
export { formatShortHumanDuration, humanDuration } from './human-duration.ts';
export { type IntOrString, PercentError, resolveIntOrPercent } from './int-or-string.ts';
export {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonKind,
  objectsAt,
  ownMember,
  recordAt,
  sameJson,
  setMember,
  textAt,
  textsAt,
} from './json.ts';
export { JsonIndenter, prettyJson, stringifyJson, withEscapedHtml } from './json-encoder.ts';
export { memberOffsets } from './json-offsets.ts';
export {
  type DuplicateMember,
  JsonSyntaxError,
  maxStrictErrors,
  type NumberLiterals,
  type ParsedJson,
  parseJson,
  parseJsonBytes,
  parseJsonBytesInTurns,
  type RepeatedObjects,
} from './json-parser.ts';
export { JsonPath, JsonPathBound, valueText } from './json-path/json-path.ts';
export { JsonPathError } from './json-path/json-path-error.ts';
export {
  formatLabelRequirements,
  type LabelOperator,
  type LabelRequirement,
  type LabelRequirements,
  type LabelSelector,
  type Labels,
  labelSelectorRequirements,
  matchesLabels,
  parseLabelSelector,
  SelectorError,
} from './label-selector.ts';
export {
  byteLength,
  dns1035Names,
  isCIdentifier,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isDns1123SubdomainWithUnderscore,
  isEnvVarName,
  isHttpHeaderName,
  isLabelValue,
  isPathSegmentName,
  isPercent,
  isPortName,
  isQualifiedName,
  isRelaxedEnvVarName,
  isWildcardDns1123Subdomain,
  labelNames,
  maxLengthError,
  type NameRule,
  type ObjectNameRule,
  pathSegmentNames,
  subdomainNames,
} from './names.ts';
export {
  type Cidr,
  domainPrefixedPath,
  formatIp,
  type IpAddress,
  parseCidr,
  parseIp,
  validateCidr,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validLegacyIp,
} from './network-names.ts';
export { type Product, type ProductName, type ProductNames, type ProductSwitches, productNamed } from './product.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  normalizeQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
  quantityInteger,
  roundQuantityUp,
  signOfQuantity,
  subtractQuantities,
} from './quantity.ts';
export type { RequestTrace, StageTrace } from './request-trace.ts';
export { secretData } from './secret-data-reader.ts';
export { compareTexts, sortInSteps, sortNamesInSteps } from './sort-in-steps.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  failure,
  forbidden,
  internalError,
  invalidObject,
  methodNotAllowed,
  modifiedSinceRead,
  notFound,
  requireObjectName,
  resourceNotFound,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  type Subject,
  tooLargeVersion,
  unauthorized,
} from './status.ts';
export { finish, itemsPerStep, type Recursion, type Steps, stepsOf } from './steps.ts';
export {
  formatMicroTime,
  formatTime,
  type Instant,
  normalizeTime,
  parseInstant,
  parseTime,
  TimeError,
  type TimeLayout,
} from './time.ts';
export { parseUrl, percentDecoded, UrlError, type UrlParts } from './url.ts';
