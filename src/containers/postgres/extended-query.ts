import type { ByteSink } from '../../env/index.ts';
import type { PreparedStatement, ResultColumn, SqlEngine, SqlResult } from './execute.ts';
import type { SqlValue } from './expressions.ts';
import { ContentReader, ContentWriter, type Message, send } from './messages.ts';
import { SqlError } from './sql-error.ts';
import { decodeValue, encodeValue, typeIds, typeOfId } from './value-formats.ts';

/** A statement with its values, and how far its rows have been sent. */
interface Portal {
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly formats: readonly number[];
  /** Undefined before its execution. */
  result: SqlResult | undefined;
  sent: number;
}

const maxPortals = 1000;

/** The codes for text and binary format of columns: one for all, or one for each; text by default. */
const formatAt = (formats: readonly number[], at: number): number => (formats.length === 1 ? formats[0] : formats[at]) ?? 0;

/** Prepared statements and portals of a connection. Cf. the extended query protocol of PostgreSQL. */
export class ExtendedQuery {
  readonly #sink: ByteSink;
  readonly #engine: SqlEngine;
  readonly #portals = new Map<string, Portal>();

  constructor(sink: ByteSink, engine: SqlEngine) {
    this.#sink = sink;
    this.#engine = engine;
  }

  /** False: the message has another type. @throws SqlError, after which messages are ignored until Sync */
  async handle({ type, content }: Message): Promise<boolean> {
    const reader = new ContentReader(content);
    const handlers: Readonly<Record<string, () => Promise<void>>> = {
      P: () => this.#parse(reader),
      B: () => this.#bind(reader),
      D: () => this.#describe(reader),
      E: () => this.#execute(reader),
      C: () => this.#close(reader),
      // Messages are sent at once.
      H: async () => {},
    };
    const handler = handlers[type];
    if (!handler) return false;
    try {
      await handler();
    } catch (error) {
      this.#engine.endSeries('failed');
      throw error instanceof RangeError ? new SqlError('08P01', 'insufficient data left in message') : error;
    }
    return true;
  }

  /** Ends a series of messages, and with it the transaction that no BEGIN has opened. */
  sync(): void {
    this.#engine.endSeries('done');
    if (this.#engine.transactionStatus === 'I') this.#portals.clear();
  }

  async #parse(reader: ContentReader): Promise<void> {
    const [name, sql] = [reader.text(), reader.text()];
    const types = Array.from({ length: reader.int16() }, () => typeOfId(reader.int32()));
    this.#engine.prepare(name, sql, types);
    await send(this.#sink, '1');
  }

  async #bind(reader: ContentReader): Promise<void> {
    const [portal, name] = [reader.text(), reader.text()];
    const statement = this.#engine.prepared(name);
    const { parameters } = statement;
    const formats = readFormats(reader);
    const count = reader.int16();
    if (count !== parameters.length)
      throw new SqlError(
        '08P01',
        `bind message supplies ${count} parameters, but prepared statement "${name}" requires ${parameters.length}`,
      );
    const values = parameters.map((type, at): SqlValue => {
      const length = reader.int32();
      if (length < -1) throw new RangeError();
      return length < 0 ? null : decodeValue(reader.bytes(length), type, formatAt(formats, at));
    });
    if (portal !== '' && this.#portals.has(portal)) throw new SqlError('42P03', `cursor "${portal}" already exists`);
    if (this.#portals.size >= maxPortals) throw new SqlError('53200', 'out of memory');
    this.#portals.set(portal, { statement, values, formats: readFormats(reader), result: undefined, sent: 0 });
    await send(this.#sink, '2');
  }

  #portal(name: string): Portal {
    const portal = this.#portals.get(name);
    if (!portal) throw new SqlError('34000', `portal "${name}" does not exist`);
    return portal;
  }

  async #describe(reader: ContentReader): Promise<void> {
    const [kind, name] = [reader.bytes(1)[0], reader.text()];
    const portal = kind === 'P'.charCodeAt(0) ? this.#portal(name) : undefined;
    const { columns, parameters } = portal?.statement ?? this.#engine.prepared(name);
    if (!portal) {
      const content = new ContentWriter().int16(parameters.length);
      for (const type of parameters) content.int32(typeIds[type]);
      await send(this.#sink, 't', content);
    }
    if (columns) await sendColumns(this.#sink, columns, portal?.formats ?? []);
    else await send(this.#sink, 'n');
  }

  async #execute(reader: ContentReader): Promise<void> {
    const name = reader.text();
    const portal = this.#portal(name);
    const { statement, values, formats } = portal;
    const most = reader.int32();
    if (!statement.statement) return send(this.#sink, 'I');
    if (portal.result && !portal.result.rows) throw new SqlError('55000', `portal "${name}" cannot be run`);
    portal.result ??= this.#engine.run(statement, values);
    const { rows = [], columns = [], notice, tag } = portal.result;
    if (notice !== undefined) await sendNotice(this.#sink, notice);
    const end = most > 0 ? portal.sent + most : rows.length;
    const part = rows.slice(portal.sent, end);
    portal.sent += part.length;
    for (const row of part) await sendRow(this.#sink, row, columns, formats);
    // Like the server, a limit that is reached suspends the portal, although there may be no further rows.
    if (most > 0 && part.length === most) await send(this.#sink, 's');
    else await send(this.#sink, 'C', new ContentWriter().text(tag.startsWith('SELECT') ? `SELECT ${part.length}` : tag));
  }

  async #close(reader: ContentReader): Promise<void> {
    const [kind, name] = [reader.bytes(1)[0], reader.text()];
    if (kind === 'P'.charCodeAt(0)) this.#portals.delete(name);
    else this.#engine.deallocate(name);
    await send(this.#sink, '3');
  }
}

const readFormats = (reader: ContentReader): readonly number[] => Array.from({ length: reader.int16() }, () => reader.int16());

export function sendNotice(sink: ByteSink, notice: string): Promise<void> {
  const [severity = '', text = ''] = notice.split(/:\s+/, 2);
  return send(sink, 'N', errorFields({ S: severity, C: '00000', M: text }));
}

export function errorFields(fields: Readonly<Record<string, string | undefined>>): ContentWriter {
  const content = new ContentWriter();
  for (const [letter, value] of Object.entries(fields))
    if (value !== undefined) content.bytes(Uint8Array.of(letter.charCodeAt(0))).text(value);
  return content.bytes(Uint8Array.of(0));
}

export function sendColumns(sink: ByteSink, columns: readonly ResultColumn[], formats: readonly number[] = []): Promise<void> {
  const content = new ContentWriter().int16(columns.length);
  for (const [at, { name, type }] of columns.entries())
    content.text(name).int32(0).int16(0).int32(typeIds[type]).int16(-1).int32(-1).int16(formatAt(formats, at));
  return send(sink, 'T', content);
}

export function sendRow(
  sink: ByteSink,
  row: readonly SqlValue[],
  columns: readonly ResultColumn[],
  formats: readonly number[] = [],
): Promise<void> {
  const content = new ContentWriter().int16(row.length);
  for (const [at, value] of row.entries()) {
    if (value === null) content.int32(-1);
    else {
      const bytes = encodeValue(value, columns[at]?.type ?? 'text', formatAt(formats, at));
      content.int32(bytes.length).bytes(bytes);
    }
  }
  return send(sink, 'D', content);
}
