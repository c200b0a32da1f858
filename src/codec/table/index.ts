/** Tables: the columns of every kind, and the Table object. */
export type { Cell, CellContext, CellOf, Column } from './column.ts';
export { columnsOf, type IncludeObject, parseIncludeObject, type TableRequest, tableOf } from './table.ts';
