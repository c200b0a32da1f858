/** Bytes and texts from and to objects: JSON, YAML, protobuf, tables, and what a client accepts. */
export {
  type Cell,
  type CellContext,
  type CellOf,
  type Column,
  columnsOf,
  type IncludeObject,
  parseIncludeObject,
  type TableRequest,
  tableOf,
} from './table/index.ts';
