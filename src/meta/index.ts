/** Shared basics of all modules: product names, object metadata, Status and its errors, selectors, quantities and times. */

export { aggregateErrors } from './aggregate-errors.ts';
export {
  type ApiObject,
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
  attemptIdHeader,
  createHeaders,
  type RequestHeaders,
  type ResponseBody,
  withHeaders,
} from './api-request.ts';
export {
  Base64Error,
  base64ToBytes,
  base64UrlToBytes,
  bytesToBase64,
  bytesToBase64Url,
  checkBase64,
  decodeBase64,
  normalizeBase64,
} from './base64.ts';
export { isBootstrapSecret, readBootstrapSecret } from './bootstrap-secret.ts';
export { decodeUtf8 } from './decode-utf8.ts';
export { DurationError, formatDuration, parseDuration } from './duration.ts';
export { createFeatureGates, FeatureGateError, type FeatureGates, parseBool } from './feature-gates/index.ts';
export {
  collectErrors,
  duplicate,
  type FieldError,
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
export { type FieldRequirement, type FieldRequirements, matchesFields, parseFieldSelector, requiredValue } from './field-selector.ts';
export { formatLabelSelector } from './format-label-selector.ts';
export { goQuote, goQuotedList, isPrintable } from './go-quote.ts';
export { formatGoSyntax, formatGoValue, goType, sortMembers, sortMembersInSteps } from './go-values.ts';
export { groupBy } from './group-by.ts';
export { bytesToHex } from './hex.ts';
export { hostErrorResponse } from './host-error.ts';
export { formatHumanDuration, formatShortHumanDuration } from './human-duration.ts';
export { type IntOrString, resolveIntOrPercent } from './int-or-string.ts';
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
export { escapeHtml, JsonIndenter, prettyJson, stringifyJson } from './json-encoder.ts';
export { findMemberOffsets } from './json-offsets.ts';
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
} from './json-parser.ts';
export { formatJsonPathValue, JsonPath, JsonPathBudget } from './json-path/json-path.ts';
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
  formatIp,
  type IpAddress,
  parseCidr,
  parseIp,
  validateCidr,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from './network-names.ts';
export { maxObjectBytes, objectTooLarge } from './object-size.ts';
export {
  isProductName,
  type Product,
  type ProductName,
  type ProductNames,
  productByName,
  productNames,
} from './product.ts';
export type { ProtocolSwitch, WebSocketConnection, WebSocketMessage } from './protocol-switch.ts';
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
  quantityInteger,
  roundQuantityUp,
  signOfQuantity,
  subtractQuantities,
} from './quantity.ts';
export { repeatedIndexes } from './repeated-indexes.ts';
export type { RequestTrace, StageTrace } from './request-trace.ts';
export { secretDataReader } from './secret-data-reader.ts';
export { type NodeState, nodePressureAnnotation, nodeStateAnnotation, nodeStateOf } from './simulated-nodes.ts';
export { compareTexts, sortInSteps, sortNamesInSteps } from './sort-in-steps.ts';
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
} from './status.ts';
export { itemsPerStep, type Recursion, runSteps, type Steps, stepsOf } from './steps.ts';
export {
  formatMicroTime,
  formatTime,
  normalizeTime,
  parseInstant,
  parseTime,
  TimeError,
  type TimeLayout,
} from './time.ts';
export { trimEnd } from './trim-end.ts';
export { decodePercentEscapes, parseUrl, UrlError, type UrlParts } from './url.ts';
export { isWebSocketRequest, offeredProtocols, offeredStreamProtocols, tokenProtocolPrefix } from './websocket-request.ts';
