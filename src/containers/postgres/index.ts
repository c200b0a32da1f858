/** A stand-in for PostgreSQL and its client psql: the protocol, tables in a folder, and statements of everyday use. */
export { postgres, postgresEntrypoint } from './postgres-server.ts';
export { psql } from './psql.ts';
