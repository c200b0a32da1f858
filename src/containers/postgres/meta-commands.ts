/** A query for a command of psql. */
export interface MetaQuery {
  readonly sql: string;
  readonly title: string;
  /** The message when there are no rows. */
  readonly none?: string;
  /** Whether the number of rows is below them. Default: true. */
  readonly hasCount?: boolean;
}

const relations: MetaQuery = {
  sql: `SELECT schemaname AS "Schema", tablename AS "Name", 'table' AS "Type", tableowner AS "Owner" FROM pg_tables`,
  title: 'List of relations',
  none: 'Did not find any relations.',
};

const queries: Readonly<Record<string, MetaQuery>> = {
  l: {
    sql: `SELECT datname AS "Name", owner AS "Owner", encoding AS "Encoding", provider AS "Locale Provider", datcollate AS "Collate", datctype AS "Ctype", '' AS "Locale", '' AS "ICU Rules", '' AS "Access privileges" FROM pg_database`,
    title: 'List of databases',
  },
  dt: relations,
  d: relations,
  du: { sql: 'SELECT rolname AS "Role name", attributes AS "Attributes" FROM pg_roles', title: 'List of roles', hasCount: false },
};

/** Undefined: there is no such command. */
export function metaQuery(name: string, argument: string | undefined): MetaQuery | undefined {
  const command = name.replace(/^\\/, '').replace(/\+$/, '');
  if (!Object.hasOwn(queries, command)) return undefined;
  if (argument === undefined || !/^dt?$/.test(command)) return queries[command];
  const text = argument.replaceAll("'", "''");
  if (command === 'dt')
    return { ...relations, sql: `${relations.sql} WHERE tablename = '${text}'`, none: `Did not find any relation named "${argument}".` };
  return {
    sql: `SELECT attname AS "Column", type AS "Type", '' AS "Collation", nullable AS "Nullable", fallback AS "Default" FROM pg_attribute WHERE relname = '${text}'`,
    title: `Table "public.${argument}"`,
    none: `Did not find any relation named "${argument}".`,
    hasCount: false,
  };
}
