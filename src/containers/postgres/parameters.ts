import type { ColumnType, Expression, SqlValue } from './expressions.ts';
import type { Statement } from './statements.ts';
import type { Table } from './tables.ts';

/** The parameter `$1` of a prepared statement. */
type Parameter = Extract<Expression, { readonly kind: 'parameter' }>;

const isParameter = (node: unknown): node is Parameter => (node as Partial<Parameter> | undefined)?.kind === 'parameter';

/** A copy of a part of a statement, with values in place of its parameters. */
export function bindParameters<Part>(part: Part, values: readonly SqlValue[]): Part {
  if (isParameter(part)) return { kind: 'literal', value: values[part.number - 1] ?? null } as Part;
  if (Array.isArray(part)) return part.map((item: unknown) => bindParameters(item, values)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]: [string, unknown]) => [name, bindParameters(value, values)])) as Part;
}

/** The types of a statement's parameters: those that are declared, or what their places require; otherwise text. */
export function inferParameters(
  statement: Statement,
  table: Table | undefined,
  declared: readonly (ColumnType | undefined)[],
  typeOf: (expression: Expression) => ColumnType | undefined,
): readonly ColumnType[] {
  const found: (ColumnType | undefined)[] = [...declared];
  const columnType = (name: string): ColumnType | undefined => table?.columns.find((column) => column.name === name)?.type;
  const note = (part: unknown, type: ColumnType | undefined): void => {
    if (isParameter(part)) found[part.number - 1] ??= type;
  };
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (isParameter(part)) found[part.number - 1] ??= undefined;
    else if (isExpression(part)) noteOperands(part, note, typeOf);
    for (const value of Object.values(part)) visit(value);
  };
  if (statement.kind === 'insert') {
    const columns = statement.columns?.map(({ name }) => name) ?? table?.columns.map(({ name }) => name) ?? [];
    for (const row of statement.rows) for (const [at, value] of row.entries()) note(value, columnType(columns[at] ?? ''));
  }
  if (statement.kind === 'update') for (const [column, value] of statement.values) note(value, columnType(column.name));
  if (statement.kind === 'select') for (const value of [statement.limit, statement.offset]) note(value, 'bigint');
  visit(statement);
  return Array.from(found, (type) => type ?? 'text');
}

const isExpression = (part: object): part is Expression => 'kind' in part && ('operand' in part || 'left' in part);

/** A parameter has the type of what it is compared or calculated with. */
function noteOperands(
  expression: Expression,
  note: (part: unknown, type: ColumnType | undefined) => void,
  typeOf: (expression: Expression) => ColumnType | undefined,
): void {
  if (expression.kind === 'cast') note(expression.operand, expression.type);
  else if (expression.kind === 'in') for (const value of expression.values) note(value, typeOf(expression.operand));
  else if (expression.kind === 'unary') note(expression.operand, expression.operator === 'not' ? 'boolean' : 'integer');
  else if (expression.kind === 'binary') {
    const { operator, left, right } = expression;
    const fixed = operator === 'and' || operator === 'or' ? 'boolean' : /^(?:i?like|\|\|)$/.test(operator) ? 'text' : undefined;
    note(left, fixed ?? typeOf(right));
    note(right, fixed ?? typeOf(left));
  }
}
