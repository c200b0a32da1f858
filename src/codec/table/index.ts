/** Tables: the columns of every kind, and the Table object. */
export { columnsOf, type IncludeObject, parseIncludeObject, type TableRequest, tableOf } from './table.ts';
