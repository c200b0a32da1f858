/** Shared basics of all modules: product names, object metadata, Status and its errors, selectors, quantities and times. */

export { attachedValues } from './collections/attached-values.ts';
export { getOrAdd } from './collections/get-or-add.ts';
export { groupBy } from './collections/group-by.ts';
export { LruCache } from './collections/lru-cache.ts';
export { repeatedIndexes } from './collections/repeated-indexes.ts';
export { compareTexts, sortInSteps, sortNamesInSteps } from './collections/sort-in-steps.ts';
export {
  type AsyncSteps,
  awaitInSteps,
  itemsPerStep,
  type Recursion,
  runSteps,
  StepCounter,
  type Steps,
  stepsOf,
} from './collections/steps.ts';
export { aggregateErrors } from './errors/aggregate-errors.ts';
export {
  collectErrors,
  duplicate,
  type FieldError,
  fieldErrorTexts,
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
} from './errors/field-error.ts';
export { hostErrorResponse } from './errors/host-error.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  type GroupResource,
  internalError,
  invalidObject,
  methodNotAllowed,
  notFound,
  optimisticLockError,
  requireObjectName,
  resourceExpired,
  resourceNotFound,
  type Status,
  type StatusCause,
  StatusError,
  type StatusReason,
  tooLargeResourceVersion,
  toStatus,
  unauthorized,
} from './errors/status.ts';
export { createFeatureGates, FeatureGateError, type FeatureGates, parseBool } from './feature-gates/index.ts';
export { decodeUtf8 } from './json/decode-utf8.ts';
export { goQuote, goQuotedList, isPrintable } from './json/go-quote.ts';
export { formatGoSyntax, formatGoValue, goType, sortMembers, sortMembersInSteps } from './json/go-values.ts';
export {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonKind,
  objectsAt,
  omitEmpty,
  ownMember,
  recordAt,
  sameJson,
  setMember,
  textAt,
  textsAt,
} from './json/json.ts';
export { escapeHtml, JsonIndenter, prettyJson, stringifyJson } from './json/json-encoder.ts';
export { findMemberOffsets } from './json/json-offsets.ts';
export {
  type DuplicateMember,
  type DuplicateObjectMode,
  JsonSyntaxError,
  maxStrictErrors,
  type NumberLiterals,
  type ParsedJson,
  parseJson,
  parseJsonBytes,
  parseJsonBytesAsync,
  parseJsonObjects,
  tryParseJson,
} from './json/json-parser.ts';
export { SortedCopy } from './json/sorted-copy.ts';
export { formatJsonPathValue, JsonPath, JsonPathBudget } from './json-path/json-path.ts';
export { JsonPathError } from './json-path/json-path-error.ts';
export { buildInfo } from './metrics/build-info.ts';
export { Histogram } from './metrics/histogram.ts';
export type { MetricFamily, MetricSample } from './metrics/metric-family.ts';
export { metricsText } from './metrics/metrics-text.ts';
export { processStart } from './metrics/process-start.ts';
export { isImageReference, splitImageReference } from './names/image-reference.ts';
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
} from './names/names.ts';
export {
  type Cidr,
  formatIp,
  type IpAddress,
  parseCidr,
  parseIp,
  tooFewSegments,
  validateCidr,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from './names/network-names.ts';
export { isPathSegmentName } from './names/path-segment.ts';
export {
  type ApiObject,
  metadataOrder,
  type ObjectMeta,
  type OwnerReference,
  withMetadata,
  withoutManagedFields,
} from './objects/api-object.ts';
export { isBootstrapSecret, readBootstrapSecret } from './objects/bootstrap-secret.ts';
export {
  type DocumentType,
  documentType,
  requireGroupVersion,
  requireReviewType,
  UnreadableDocument,
  untypedDocument,
} from './objects/document-type.ts';
export { isObjectTooLarge, maxObjectBytes, objectTooLarge } from './objects/object-size.ts';
export { secretDataReader } from './objects/secret-data-reader.ts';
export { type NodeState, nodePressureAnnotation, nodeStateAnnotation, nodeStateOf } from './objects/simulated-nodes.ts';
export {
  isProductName,
  type Product,
  type ProductName,
  type ProductNames,
  productByName,
  productNames,
} from './product.ts';
export { release, type VersionInfo, versionInfo } from './release/version-info.ts';
export {
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  attemptIdHeader,
  createHeaders,
  isStream,
  type RequestHeaders,
  type ResponseBody,
  withHeaders,
} from './requests/api-request.ts';
export type { ProtocolSwitch, WebSocketConnection, WebSocketMessage } from './requests/protocol-switch.ts';
export type { RequestTrace, StageTrace } from './requests/request-trace.ts';
export { decodePercentEscapes, parseUrl, UrlError, type UrlParts } from './requests/url.ts';
export { isWebSocketRequest, offeredProtocols, offeredStreamProtocols, tokenProtocolPrefix } from './requests/websocket-request.ts';
export {
  type FieldRequirement,
  type FieldRequirements,
  matchesFields,
  parseFieldSelector,
  requiredValue,
} from './selectors/field-selector.ts';
export { formatLabelSelector } from './selectors/format-label-selector.ts';
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
} from './selectors/label-selector.ts';
export {
  Base64Error,
  base64ToBytes,
  base64UrlToBytes,
  bytesToBase64,
  bytesToBase64Url,
  checkBase64,
  decodeBase64,
  normalizeBase64,
} from './values/base64.ts';
export { concatBytes } from './values/concat-bytes.ts';
export { DurationError, formatDuration, parseDuration } from './values/duration.ts';
export { bytesToHex } from './values/hex.ts';
export { joinHostPort } from './values/host-port.ts';
export { formatHumanDuration, formatShortHumanDuration } from './values/human-duration.ts';
export { type IntOrString, resolveIntOrPercent } from './values/int-or-string.ts';
export { isNativeResource } from './values/native-resource.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  isSameAmount,
  normalizeQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityInteger,
  roundQuantityUp,
  signOfQuantity,
  subtractQuantities,
} from './values/quantity.ts';
export {
  formatMicroTime,
  formatTime,
  normalizeTime,
  parseInstant,
  parseTime,
  TimeError,
  type TimeLayout,
} from './values/time.ts';
export { trimEnd } from './values/trim-end.ts';
