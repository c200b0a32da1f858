/** What every room may know: the product's names, objects' metadata, Status and its errors, selectors, quantities and times. */
export { type ApiObject, type MetadataChanges, type ObjectMeta, type OwnerReference, withMetadata } from './api-object.ts';
export type { ApiHandler, ApiRequest, ApiResponse, Peer, ResponseBody } from './api-request.ts';
export {
  duplicate,
  type FieldError,
  type FieldErrorReason,
  forbiddenField,
  invalid,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-error.ts';
export { humanDuration, shortHumanDuration } from './human-duration.ts';
export { isJsonObject, type Json, type JsonObject } from './json.ts';
export { JsonSyntaxError, type ParsedJson, parseJson, prettyJson, stringifyJson } from './json-text.ts';
export { type Product, type ProductName, type ProductNames, type ProductSwitches, productNamed } from './product.ts';
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
