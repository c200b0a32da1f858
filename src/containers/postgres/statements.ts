import type { ColumnType, Expression } from './expressions.ts';

export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  /** Of `varchar(n)`. */
  readonly length: number | undefined;
  readonly isNotNull: boolean;
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
  /** Numbers its rows. */
  readonly isSerial: boolean;
  readonly fallback: Expression | undefined;
}

/** `*` is every column. */
export type SelectItem = '*' | { readonly expression: Expression; readonly name: string };

export interface TableName {
  readonly name: string;
  readonly at: number;
}

export interface SelectStatement {
  readonly kind: 'select';
  readonly items: readonly SelectItem[];
  readonly table: TableName | undefined;
  readonly where: Expression | undefined;
  readonly order: readonly { readonly by: Expression; readonly isDescending: boolean }[];
  readonly limit: Expression | undefined;
  readonly offset: Expression | undefined;
  readonly isDistinct: boolean;
}

export type Statement =
  | SelectStatement
  | { readonly kind: 'create table'; readonly name: string; readonly isOptional: boolean; readonly columns: readonly ColumnDefinition[] }
  | { readonly kind: 'drop table'; readonly tables: readonly TableName[]; readonly isOptional: boolean }
  | { readonly kind: 'truncate'; readonly table: TableName }
  | { readonly kind: 'add column'; readonly table: TableName; readonly column: ColumnDefinition }
  | {
      readonly kind: 'insert';
      readonly table: TableName;
      readonly columns: readonly TableName[] | undefined;
      readonly rows: readonly (readonly (Expression | 'default')[])[];
      readonly returning: readonly SelectItem[];
    }
  | {
      readonly kind: 'update';
      readonly table: TableName;
      readonly values: readonly (readonly [TableName, Expression])[];
      readonly where: Expression | undefined;
      readonly returning: readonly SelectItem[];
    }
  | {
      readonly kind: 'delete';
      readonly table: TableName;
      readonly where: Expression | undefined;
      readonly returning: readonly SelectItem[];
    }
  | { readonly kind: 'create database' | 'drop database'; readonly name: string; readonly isOptional: boolean }
  | { readonly kind: 'create role'; readonly name: string; readonly password: string | undefined; readonly tag: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | {
      readonly kind: 'prepare';
      readonly name: string;
      readonly types: readonly ColumnType[];
      readonly sql: string;
      readonly statement: Statement;
    }
  | { readonly kind: 'execute'; readonly name: string; readonly values: readonly Expression[] }
  /** Without a name, all prepared statements are dropped. */
  | { readonly kind: 'deallocate'; readonly name: string | undefined }
  | { readonly kind: 'show'; readonly name: string }
  /** Has no effect here. */
  | { readonly kind: 'accepted'; readonly tag: string };
