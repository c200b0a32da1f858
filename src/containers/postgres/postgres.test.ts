import { expect, test } from 'vitest';
import type { LiveContainer } from '../../node/index.ts';
import { createLoopback } from '../pod/loopback.test-support.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const image = 'docker.io/library/postgres';
const password = [{ name: 'POSTGRES_PASSWORD', value: 'secret' }];
const volumeMounts = [{ name: 'data', mountPath: '/var/lib/postgresql/data' }];

async function startPostgres(): Promise<TestSandbox> {
  const pod = new TestSandbox({ volumes: [{ name: 'data', emptyDir: {} }] }, {}, createLoopback());
  await pod.start({ name: 'server', env: password, volumeMounts }, image);
  await pod.advance(1);
  return pod;
}

async function run(pod: TestSandbox, script: string): Promise<string> {
  await pod.start(
    {
      command: ['sh', '-c', script],
      env: [
        { name: 'PGUSER', value: 'postgres' },
        { name: 'PGPASSWORD', value: 'secret' },
      ],
    },
    image,
  );
  await pod.advance(2);
  return pod.logs();
}

const psql = async (...statements: readonly string[]): Promise<string> =>
  run(await startPostgres(), `psql -h api ${statements.map((sql) => `-c "${sql}"`).join(' ')}; echo $?`);

const table = 'CREATE TABLE t (id serial PRIMARY KEY, name text NOT NULL, age int)';
const rows = "INSERT INTO t (name, age) VALUES ('ann', 30), ('bob', NULL), ('carl', 25)";

test('tables are created, filled, read, changed and emptied', async () => {
  const output = await psql(
    table,
    rows,
    "SELECT * FROM t WHERE age > 20 OR name LIKE 'b%' ORDER BY name DESC LIMIT 2",
    "UPDATE t SET age = age + 1 WHERE name IN ('ann', 'bob')",
    'SELECT count(*), max(age), avg(age) FROM t',
    'DELETE FROM t WHERE age IS NULL RETURNING id',
    'SELECT name AS one FROM t WHERE NOT age BETWEEN 26 AND 40',
  );
  expect(output).toBe(`CREATE TABLE
INSERT 0 3
 id | name | age 
----+------+-----
  3 | carl |  25
  2 | bob  |    
(2 rows)

UPDATE 2
 count | max |         avg         
-------+-----+---------------------
     3 |  31 | 28.0000000000000000
(1 row)

 id 
----
  2
(1 row)

DELETE 1
 one  
------
 carl
(1 row)

0
`);
});

test.each([
  ['SELECT * FROM none', 'ERROR:  relation "none" does not exist\nLINE 1: SELECT * FROM none\n                      ^\n1\n'],
  ['SELEC 1', 'ERROR:  syntax error at or near "SELEC"\nLINE 1: SELEC 1\n        ^\n1\n'],
  ['SELECT 1 +', 'ERROR:  syntax error at end of input\nLINE 1: SELECT 1 +\n                  ^\n1\n'],
  ['SELECT 1/0', 'ERROR:  division by zero\n1\n'],
  ["SELECT 'x'::int", 'ERROR:  invalid input syntax for type integer: "x"\n1\n'],
  ['SELECT 2 + 3 * 4 AS sum, NOT false', ' sum | ?column? \n-----+----------\n  14 | t\n(1 row)\n\n0\n'],
  [
    'CREATE TABLE u (a int PRIMARY KEY); INSERT INTO u VALUES (1), (1)',
    'CREATE TABLE\nERROR:  duplicate key value violates unique constraint "u_pkey"\nDETAIL:  Key (a)=(1) already exists.\n1\n',
  ],
  [
    'CREATE TABLE u (a int NOT NULL, b text); INSERT INTO u (b) VALUES (1)',
    'CREATE TABLE\nERROR:  null value in column "a" of relation "u" violates not-null constraint\nDETAIL:  Failing row contains (null, 1).\n1\n',
  ],
  [
    'CREATE TABLE u (a int); BEGIN; INSERT INTO u VALUES (1); ROLLBACK; SELECT count(*) FROM u',
    'CREATE TABLE\nBEGIN\nINSERT 0 1\nROLLBACK\n count \n-------\n     0\n(1 row)\n\n0\n',
  ],
  ['CREATE DATABASE shop', 'CREATE DATABASE\n0\n'],
])('psql -c "%s"', async (sql, output) => {
  expect(await psql(sql)).toBe(output);
});

test('commands of psql list databases and relations, and describe tables', async () => {
  const script =
    "psql -h api -c '\\dt'; psql -h api -tAc 'CREATE TABLE t (id int PRIMARY KEY, name varchar(20))'; psql -h api -c '\\dt'; psql -h api -c '\\d t'; psql -h api -tAc '\\l'; psql -h api -c '\\nothing'";
  expect(await run(await startPostgres(), script)).toBe(`Did not find any relations.
CREATE TABLE
        List of relations
 Schema | Name | Type  |  Owner   
--------+------+-------+----------
 public | t    | table | postgres
(1 row)

                        Table "public.t"
 Column |         Type          | Collation | Nullable | Default 
--------+-----------------------+-----------+----------+---------
 id     | integer               |           | not null | 
 name   | character varying(20) |           |          | 

postgres|postgres|UTF8|libc|en_US.utf8|en_US.utf8|||
template0|postgres|UTF8|libc|en_US.utf8|en_US.utf8|||
template1|postgres|UTF8|libc|en_US.utf8|en_US.utf8|||
invalid command \\nothing
Try \\? for help.
`);
});

test('connections are refused with the reasons of the server and of libpq', async () => {
  const script =
    'PGPASSWORD=wrong psql -h api -c "SELECT 1"; psql -h api -d none -c "SELECT 1"; psql -h nowhere; psql -h api -p 5433; echo $?; unset PGPASSWORD; psql -h api';
  const server = 'psql: error: connection to server at "api" (10.96.0.9), port';
  expect(await run(await startPostgres(), script)).toBe(
    `${server} 5432 failed: FATAL:  password authentication failed for user "postgres"\n` +
      `${server} 5432 failed: FATAL:  database "none" does not exist\n` +
      'psql: error: could not translate host name "nowhere" to address: Name or service not known\n' +
      `${server} 5433 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?\n2\n` +
      `${server} 5432 failed: fe_sendauth: no password supplied\n`,
  );
});

test('without a password the container ends with the explanation of the image', async () => {
  const pod = new TestSandbox({}, {}, createLoopback());
  const container = await pod.start({}, image);
  await pod.advance(1);
  expect(container.exit?.code).toBe(1);
  expect(await pod.logs()).toMatch(
    /^Error: Database is uninitialized and superuser password is not specified\.\n {7}You must specify POSTGRES_PASSWORD/,
  );
});

test('the data outlive the container on a volume, and scripts run when they are created', async () => {
  const scripts = [{ name: 'scripts', configMap: { name: 'scripts' } }];
  const pod = new TestSandbox({ volumes: [{ name: 'data', emptyDir: {} }, ...scripts] }, {}, createLoopback());
  pod.objects.set('/api/v1/namespaces/ns/configmaps/scripts', {
    metadata: { name: 'scripts' },
    data: { '1.sql': 'CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);' },
  });
  const mounts = [...volumeMounts, { name: 'scripts', mountPath: '/docker-entrypoint-initdb.d' }];
  const start = (): Promise<LiveContainer> => pod.start({ name: 'server', env: password, volumeMounts: mounts }, image);
  const first = await start();
  await pod.advance(1);
  const log = await pod.logs({ container: 'server' });
  expect(log).toContain('/usr/local/bin/docker-entrypoint.sh: running /docker-entrypoint-initdb.d/1.sql\nCREATE TABLE\nINSERT 0 1\n');
  expect(log).toMatch(
    /PostgreSQL init process complete; ready for start up\.\n\n2026-01-01 00:00:00\.000 UTC \[1\] LOG: {2}starting PostgreSQL 17/,
  );
  expect(log).toMatch(/LOG: {2}database system is ready to accept connections\n$/);
  await run(pod, 'psql -h api -c "UPDATE t SET a = 7"');
  first.kill();
  await start();
  await pod.advance(1);
  expect(await pod.logs({ container: 'server' })).toContain(
    'PostgreSQL Database directory appears to contain a database; Skipping initialization\n',
  );
  expect(await run(pod, 'psql -h api -tAc "SELECT a FROM t"')).toBe('7\n');
});
