import type { ColumnType, Expression } from './expressions.ts';
import { SqlError } from './sql-error.ts';
import type { ColumnDefinition, SelectItem, SelectStatement, Statement, TableName } from './statements.ts';
import { type Token, tokenize } from './tokens.ts';

/** @throws SqlError */
export function parseStatement(sql: string): Statement {
  return new Parser(sql).statement();
}

const types: Readonly<Record<string, ColumnType>> = {
  int: 'integer',
  int4: 'integer',
  integer: 'integer',
  smallint: 'integer',
  serial: 'integer',
  bigserial: 'bigint',
  bigint: 'bigint',
  int8: 'bigint',
  numeric: 'numeric',
  decimal: 'numeric',
  real: 'double precision',
  float: 'double precision',
  double: 'double precision',
  text: 'text',
  varchar: 'character varying',
  char: 'character varying',
  character: 'character varying',
  bool: 'boolean',
  boolean: 'boolean',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  date: 'date',
  uuid: 'uuid',
  json: 'jsonb',
  jsonb: 'jsonb',
};

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>=', 'like', 'ilike']);

/** Words that end an expression, a name of a column or a name of a table. */
const reserved: ReadonlySet<string> = new Set(
  'and as asc by default desc from group having in into is limit not null offset on or order returning select set table values where'.split(
    ' ',
  ),
);

class Parser {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = tokenize(sql);
  }

  statement(): Statement {
    const statement = this.#statement();
    if (this.#token.kind !== 'end') throw this.#syntaxError();
    return statement;
  }

  get #token(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #syntaxError(): SqlError {
    const { kind, text, at } = this.#token;
    if (kind === 'end') return new SqlError('42601', 'syntax error at end of input', { at });
    const shown = kind === 'text' ? `'${text}'` : this.#sql.slice(at, at + Math.max(1, text.length));
    return new SqlError('42601', `syntax error at or near "${shown}"`, { at });
  }

  /** Skips a key word or symbol, if it is next. */
  #accept(text: string): boolean {
    const { kind, text: next } = this.#token;
    if ((kind !== 'name' && kind !== 'symbol') || next !== text) return false;
    this.#index++;
    return true;
  }

  #acceptAll(...words: readonly string[]): boolean {
    const start = this.#index;
    if (words.every((word) => this.#accept(word))) return true;
    this.#index = start;
    return false;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#syntaxError();
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind === 'end') throw this.#syntaxError();
    this.#index++;
    return token;
  }

  #name(): TableName {
    const token = this.#token;
    if (token.kind !== 'quoted' && (token.kind !== 'name' || reserved.has(token.text))) throw this.#syntaxError();
    this.#index++;
    // Names may have the schema before them.
    if (token.text === 'public' && this.#accept('.')) return this.#name();
    return { name: token.text, at: token.at };
  }

  #list<Item>(item: () => Item): Item[] {
    const items = [item()];
    while (this.#accept(',')) items.push(item());
    return items;
  }

  #inParentheses<Item>(item: () => Item): Item[] {
    this.#expect('(');
    const items = this.#list(item);
    this.#expect(')');
    return items;
  }

  #statement(): Statement {
    if (this.#accept('select')) return this.#select();
    if (this.#acceptAll('insert', 'into')) return this.#insert();
    if (this.#accept('update')) return this.#update();
    if (this.#acceptAll('delete', 'from'))
      return { kind: 'delete', table: this.#name(), where: this.#where(), returning: this.#returning() };
    if (this.#accept('create')) return this.#create();
    if (this.#accept('drop')) return this.#drop();
    if (this.#accept('alter')) return this.#alter();
    if (this.#accept('truncate')) {
      this.#accept('table');
      return { kind: 'truncate', table: this.#name() };
    }
    if (this.#accept('prepare')) return this.#prepare();
    if (this.#accept('execute')) return this.#execute();
    if (this.#accept('deallocate')) return this.#deallocate();
    if (this.#accept('show')) return { kind: 'show', name: this.#next().text };
    const transaction = this.#transaction();
    if (transaction) return transaction;
    for (const word of ['set', 'grant', 'revoke', 'vacuum', 'analyze']) if (this.#accept(word)) return this.#accepted(word.toUpperCase());
    throw this.#syntaxError();
  }

  #execute(): Statement {
    const { name } = this.#name();
    return { kind: 'execute', name, values: this.#token.text === '(' ? this.#inParentheses(() => this.#expression()) : [] };
  }

  #deallocate(): Statement {
    this.#accept('prepare');
    return { kind: 'deallocate', name: this.#accept('all') ? undefined : this.#name().name };
  }

  #prepare(): Statement {
    const { name } = this.#name();
    const types = this.#token.text === '(' ? this.#inParentheses(() => this.#type().type) : [];
    this.#expect('as');
    return { kind: 'prepare', name, types, sql: this.#sql, statement: this.#statement() };
  }

  /** Undefined: the statement is another one. */
  #transaction(): Statement | undefined {
    const kind =
      this.#accept('begin') || this.#acceptAll('start', 'transaction')
        ? 'begin'
        : this.#accept('commit') || this.#accept('end')
          ? 'commit'
          : this.#accept('rollback') || this.#accept('abort')
            ? 'rollback'
            : undefined;
    if (kind && !this.#accept('transaction')) this.#accept('work');
    return kind && { kind };
  }

  /** A statement without an effect. */
  #accepted(tag: string): Statement {
    this.#index = this.#tokens.length - 1;
    return { kind: 'accepted', tag };
  }

  #create(): Statement {
    if (this.#accept('table')) {
      const isOptional = this.#acceptAll('if', 'not', 'exists');
      const { name } = this.#name();
      return { kind: 'create table', name, isOptional, columns: this.#columns() };
    }
    if (this.#accept('database')) {
      const { name } = this.#name();
      this.#accepted('');
      return { kind: 'create database', name, isOptional: false };
    }
    if (this.#accept('user') || this.#accept('role')) return this.#role('CREATE ROLE');
    const unique = this.#accept('unique');
    if (this.#accept('index')) return this.#accepted('CREATE INDEX');
    if (unique) throw this.#syntaxError();
    if (this.#accept('extension')) return this.#accepted('CREATE EXTENSION');
    throw this.#syntaxError();
  }

  #role(tag: string): Statement {
    const { name } = this.#name();
    const at = this.#tokens.findIndex(({ kind, text }) => kind === 'name' && text === 'password');
    const password = at < 0 ? undefined : this.#tokens[at + 1]?.text;
    this.#accepted('');
    return { kind: 'create role', name, password, tag };
  }

  #drop(): Statement {
    const isTable = this.#accept('table');
    if (!isTable && !this.#accept('database')) throw this.#syntaxError();
    const isOptional = this.#acceptAll('if', 'exists');
    if (!isTable) return { kind: 'drop database', name: this.#name().name, isOptional };
    const tables = this.#list(() => this.#name());
    if (!this.#accept('cascade')) this.#accept('restrict');
    return { kind: 'drop table', tables, isOptional };
  }

  #alter(): Statement {
    if (this.#accept('user') || this.#accept('role')) return this.#role('ALTER ROLE');
    this.#expect('table');
    const table = this.#name();
    if (!this.#accept('add')) return this.#accepted('ALTER TABLE');
    this.#accept('column');
    return { kind: 'add column', table, column: this.#column() };
  }

  #columns(): readonly ColumnDefinition[] {
    const columns: ColumnDefinition[] = [];
    const primary = new Set<string>();
    const unique = new Set<string>();
    this.#inParentheses(() => {
      if (this.#accept('constraint')) this.#name();
      const isPrimary = this.#acceptAll('primary', 'key');
      if (isPrimary || this.#accept('unique')) {
        for (const { name } of this.#inParentheses(() => this.#name())) (isPrimary ? primary : unique).add(name);
      } else columns.push(this.#column());
    });
    return columns.map((column) => {
      const isPrimary = column.isPrimary || primary.has(column.name);
      return { ...column, isPrimary, isNotNull: column.isNotNull || isPrimary, isUnique: column.isUnique || unique.has(column.name) };
    });
  }

  #column(): ColumnDefinition {
    const { name } = this.#name();
    const { type, length, isSerial } = this.#type();
    let [isNotNull, isPrimary, isUnique] = [isSerial, false, false];
    let fallback: Expression | undefined;
    for (;;) {
      if (this.#acceptAll('not', 'null')) isNotNull = true;
      else if (this.#acceptAll('primary', 'key')) isPrimary = isNotNull = true;
      else if (this.#accept('unique')) isUnique = true;
      else if (this.#accept('default')) fallback = this.#sum();
      else if (this.#accept('references')) {
        this.#name();
        if (this.#token.text === '(') this.#inParentheses(() => this.#name());
      } else if (!this.#accept('null')) break;
    }
    return { name, type, length, isNotNull, isPrimary, isUnique, isSerial, fallback };
  }

  #type(): Pick<ColumnDefinition, 'type' | 'length' | 'isSerial'> {
    const { kind, text, at } = this.#next();
    if (kind !== 'name') {
      this.#index--;
      throw this.#syntaxError();
    }
    const type = Object.hasOwn(types, text) ? types[text] : undefined;
    if (type === undefined) throw new SqlError('42704', `type "${text}" does not exist`, { at });
    if (text === 'double') this.#expect('precision');
    if (text === 'character') this.#accept('varying');
    const sizes = this.#token.text === '(' && this.#token.kind === 'symbol' ? this.#inParentheses(() => Number(this.#next().text)) : [];
    if (this.#accept('with') || this.#accept('without')) {
      this.#expect('time');
      this.#expect('zone');
    }
    return { type, length: type === 'character varying' ? sizes[0] : undefined, isSerial: text.endsWith('serial') };
  }

  #insert(): Statement {
    const table = this.#name();
    const columns = this.#token.text === '(' ? this.#inParentheses(() => this.#name()) : undefined;
    this.#expect('values');
    const value = (): Expression | 'default' => (this.#accept('default') ? 'default' : this.#expression());
    const rows = this.#list(() => this.#inParentheses(value));
    return { kind: 'insert', table, columns, rows, returning: this.#returning() };
  }

  #update(): Statement {
    const table = this.#name();
    this.#expect('set');
    const values = this.#list((): readonly [TableName, Expression] => {
      const column = this.#name();
      this.#expect('=');
      return [column, this.#expression()];
    });
    return { kind: 'update', table, values, where: this.#where(), returning: this.#returning() };
  }

  #select(): SelectStatement {
    const isDistinct = this.#accept('distinct');
    const items = this.#items();
    const table = this.#accept('from') ? this.#name() : undefined;
    if (table && this.#token.kind === 'name' && !reserved.has(this.#token.text)) {
      // An alias, or what is not supported, such as a join.
      if (/^(?:as|join|inner|left|right|full|cross|union)$/.test(this.#token.text)) throw this.#syntaxError();
      this.#name();
    }
    const where = this.#where();
    const order = this.#acceptAll('order', 'by')
      ? this.#list(() => {
          const by = this.#expression();
          const isDescending = this.#accept('desc');
          if (!isDescending) this.#accept('asc');
          return { by, isDescending };
        })
      : [];
    const limit = this.#accept('limit') ? this.#expression() : undefined;
    const offset = this.#accept('offset') ? this.#expression() : undefined;
    return { kind: 'select', items, table, where, order, limit, offset, isDistinct };
  }

  #items(): readonly SelectItem[] {
    return this.#list((): SelectItem => {
      if (this.#accept('*')) return '*';
      const expression = this.#expression();
      const hasAlias = this.#accept('as') || (this.#token.kind === 'name' && !reserved.has(this.#token.text));
      return { expression, name: hasAlias ? this.#next().text : nameOf(expression) };
    });
  }

  #returning(): readonly SelectItem[] {
    return this.#accept('returning') ? this.#items() : [];
  }

  #where(): Expression | undefined {
    return this.#accept('where') ? this.#expression() : undefined;
  }

  #expression(): Expression {
    return this.#chain(['or'], () => this.#chain(['and'], () => this.#negation()));
  }

  /** Operators of one rank, from left to right. */
  #chain(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((one) => this.#accept(one));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: operand() };
    }
  }

  #negation(): Expression {
    return this.#accept('not') ? not(this.#negation()) : this.#comparison();
  }

  #comparison(): Expression {
    const left = this.#sum();
    if (this.#accept('is')) {
      const isNegated = this.#accept('not');
      this.#expect('null');
      return isNegated ? not({ kind: 'null', operand: left }) : { kind: 'null', operand: left };
    }
    const isNegated = this.#accept('not');
    const test = this.#test(left);
    if (isNegated && test === left) throw this.#syntaxError();
    return isNegated ? not(test) : test;
  }

  #test(left: Expression): Expression {
    if (this.#accept('in')) return { kind: 'in', operand: left, values: this.#inParentheses(() => this.#expression()) };
    if (this.#accept('between')) {
      const low = this.#sum();
      this.#expect('and');
      const from: Expression = { kind: 'binary', operator: '>=', left, right: low };
      return { kind: 'binary', operator: 'and', left: from, right: { kind: 'binary', operator: '<=', left, right: this.#sum() } };
    }
    const operator = this.#token.kind === 'quoted' || this.#token.kind === 'text' ? '' : this.#token.text;
    if (!comparisons.has(operator)) return left;
    this.#index++;
    return { kind: 'binary', operator, left, right: this.#sum() };
  }

  #sum(): Expression {
    return this.#chain(['+', '-', '||'], () => this.#chain(['*', '/', '%'], () => this.#unary()));
  }

  #unary(): Expression {
    if (this.#accept('-')) return { kind: 'unary', operator: '-', operand: this.#unary() };
    let operand = this.#primary();
    while (this.#accept('::')) operand = { kind: 'cast', operand, type: this.#type().type };
    return operand;
  }

  #primary(): Expression {
    if (this.#accept('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    const { kind, text, at } = this.#token;
    if (kind === 'number' || kind === 'text') {
      this.#index++;
      return { kind: 'literal', value: kind === 'number' ? Number(text) : text };
    }
    if (kind === 'parameter') {
      this.#index++;
      if (Number(text) === 0) throw new SqlError('42P02', 'there is no parameter $0', { at });
      return { kind: 'parameter', number: Number(text), at };
    }
    const constants: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null };
    if (kind === 'name' && Object.hasOwn(constants, text)) {
      this.#index++;
      return { kind: 'literal', value: constants[text] ?? null };
    }
    if (kind === 'name' && /^current_(?:timestamp|date|user)$/.test(text)) {
      this.#index++;
      return { kind: 'call', name: text === 'current_user' ? text : 'now', args: [], isStar: false, at };
    }
    const { name } = this.#name();
    if (kind === 'name' && this.#accept('(')) return this.#call(name, at);
    // `table.column`.
    return { kind: 'column', name: this.#accept('.') ? this.#name().name : name, at };
  }

  #call(name: string, at: number): Expression {
    const isStar = this.#accept('*');
    const args = isStar || this.#token.text === ')' ? [] : this.#list(() => this.#expression());
    this.#expect(')');
    return { kind: 'call', name, args, isStar, at };
  }
}

const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand });

/** The name of a result column. */
function nameOf(expression: Expression): string {
  if (expression.kind === 'column' || expression.kind === 'call') return expression.name;
  return expression.kind === 'cast' ? nameOf(expression.operand) : '?column?';
}
