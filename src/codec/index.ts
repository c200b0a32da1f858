/** Encodings of objects: JSON, YAML, CBOR, protobuf, tables, and content negotiation. */

export { bodyMediaType, type Conversion, type MediaTypeOptions, negotiate, routeProduces } from './accept.ts';
export { CborError, readCbor, writeCbor, writeCborEvent, writeCborList } from './cbor/index.ts';
export type { ItemList, Pause } from './item-list.ts';
export {
  createProtobuf,
  openEnvelope,
  type Protobuf,
  ProtoError,
  ProtoWriter,
  readFields,
  readText,
  type WireField,
  writeWatchFrame,
} from './protobuf/index.ts';
export {
  type IncludeObject,
  parseIncludeObject,
  type TableRequest,
  tableOf,
} from './table/index.ts';
export { type ParsedYaml, parseYaml, parseYamlAsync, YamlSyntaxError } from './yaml.ts';
export { printYaml, printYamlList } from './yaml-print.ts';
