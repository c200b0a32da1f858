import { SqlError } from './sql-error.ts';

/** A token of SQL; names and key words are in lower case, as the server reads them. */
export interface Token {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'parameter' | 'symbol' | 'end';
  readonly text: string;
  /** Offset in the statement. */
  readonly at: number;
}

const pattern =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"|[eE]?'((?:[^']|'')*)'|(\d+(?:\.\d+)?)|([a-zA-Z_][\w$]*)|\$(\d{1,4})|(::|<>|!=|<=|>=|\|\||[-+*/%(),.;=<>])/y;

/** @throws SqlError */
export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(sql);
    if (!match) throw unreadable(sql, at);
    const [, quoted, text, number, name, parameter, symbol] = match;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"'), at });
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'"), at });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase(), at });
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', text: parameter, at });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at });
  }
  return [...tokens, { kind: 'end', text: '', at: sql.length }];
}

function unreadable(sql: string, at: number): SqlError {
  const rest = sql.slice(at);
  if (!/^["']/.test(rest)) return new SqlError('42601', `syntax error at or near "${rest[0]}"`, { at });
  return new SqlError('42601', `unterminated quoted ${rest[0] === '"' ? 'identifier' : 'string'} at or near "${rest}"`, { at });
}

/** The statements of a text; semicolons in strings, names and comments do not end one. @throws SqlError */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let from = 0;
  let isEmpty = true;
  for (const { kind, text, at } of tokenize(sql)) {
    if (kind !== 'end' && (kind !== 'symbol' || text !== ';')) {
      isEmpty = false;
      continue;
    }
    if (!isEmpty) statements.push(sql.slice(from, at).trim());
    from = at + 1;
    isEmpty = true;
  }
  return statements;
}
