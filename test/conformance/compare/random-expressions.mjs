/** Random CEL expressions of a type, over the members of `self` in expressions.mjs. Some are wrong: their errors are compared, too. */

const ints = ['0', '1', '-1', '2', '7', '-5', '1000000000', '9223372036854775807', '-9223372036854775808'];
const doubles = ['0.0', '1.5', '-2.25', '1e10', '1e308', '0.1', '-0.0', '123456789.125'];
const uints = ['0u', '1u', '7u', '18446744073709551615u'];
const texts = [
  ...[
    "''",
    "'a'",
    "'abc'",
    "'Hello World'",
    "'héllo'",
    "'a,b,c'",
    "'😀x'",
    "'\\n\\t'",
    "'[a-z]+'",
    "'%d'",
    "'123'",
    "'true'",
    "'a-b.c'",
    "'A_b'",
  ],
  ...["'10.0.0.1'", "'fd00::1'", "'10.0.0.0/8'", "'1.2.3'", "'1Gi'", "'500m'", "'https://u@example.com:80/p?q=1'", "'1h30m'"],
  "'2024-01-02T03:04:05Z'",
];
const patterns = ["'[a-z]+'", "'^a'", "'(\\\\d+)'", "'[A-Z]'", "'('", "'a|b'", "'\\\\pL+'", "'.{2}'", 'self.s'];
const times = [
  "timestamp('2024-02-29T12:30:45.678Z')",
  'self.ts',
  "timestamp('1969-12-31T23:59:59Z')",
  "timestamp('2024-01-02T03:04:05+02:00')",
];
const zones = ['', '', "'UTC'", "'Europe/Berlin'", "'+02:30'", "'Nowhere/X'"];
const fields = ['FullYear', 'Month', 'DayOfMonth', 'DayOfWeek', 'DayOfYear', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];
const formats = ['%d', '%s', '%.2f', '%x', '%X', '%b', '%e', '%o', '%s-%d', '%%', '%5d', '%q'];

/** How each type is shown as text. */
const shown = {
  int: (e) => `string(${e})`,
  uint: (e) => `string(${e})`,
  double: (e) => `string(${e})`,
  string: (e) => `'<' + ${e} + '>'`,
  bool: (e) => `(${e}) ? 'true' : 'false'`,
  ints: (e) => `'<' + ${e}.map(x, string(x)).join(',') + '>'`,
  strings: (e) => `'<' + ${e}.join('|') + '>'`,
  duration: (e) => `string(${e})`,
  timestamp: (e) => `string(${e})`,
  bytes: (e) => `string(${e})`,
  quantity: (e) => `string(${e}.asApproximateFloat())`,
  semver: (e) => `string(${e})`,
  ip: (e) => `string(${e})`,
  cidr: (e) => `string(${e})`,
};

/**
 * Returns a function that makes a rule that is never met, and a message with the value of its expression.
 *
 * @param {(below: number) => number} random
 */
export function createExpressions(random) {
  const one = (list) => list[random(list.length)];
  /** A leaf, or one of the calls with arguments of less depth. */
  const choose = (depth, leaves, calls) => (depth <= 0 || random(4) === 0 ? one(leaves) : one(calls)(depth - 1));
  const compared = one.bind(undefined, ['<', '<=', '>', '>=', '==', '!=']);
  const arithmetic = one.bind(undefined, ['+', '-', '*', '/', '%']);
  const any = (depth, ...types) => of[one(types)](depth);

  const of = {
    int: (depth) =>
      choose(
        depth,
        [...ints, 'self.i', 'self.li[0]'],
        [
          (d) => `(${of.int(d)} ${arithmetic()} ${any(d, 'int', 'int', 'int', 'double')})`,
          (d) => `size(${of.string(d)})`,
          (d) => `${of.ints(d)}.size()`,
          (d) => `-(${of.int(d)})`,
          (d) => `(${of.bool(d)} ? ${of.int(d)} : ${of.int(d)})`,
          (d) => `int(${any(d, 'double', 'string', 'uint', 'timestamp')})`,
          (d) => `${of.string(d)}.${one(['indexOf', 'lastIndexOf'])}(${of.string(d)})`,
          (d) => `${of.ints(d)}.${one(['sum()', 'min()', 'max()', `indexOf(${of.int(d)})`])}`,
          (d) => `${of.ints(d)}[${of.int(d)}]`,
          () => `self.m[${of.string(0)}]`,
          (d) => `self.${one(['?i', '?absent', `m[?${of.string(d)}]`])}.orValue(${of.int(d)})`,
          (d) => `${of.duration(d)}.get${one(['Hours', 'Minutes', 'Seconds', 'Milliseconds'])}()`,
          (d) => `${of.timestamp(d)}.get${one(fields)}(${one(zones)})`,
          (d) => `${of.quantity(d)}.${one(['sign()', 'asInteger()', `compareTo(${of.quantity(d)})`])}`,
          (d) => `${of.semver(d)}.${one(['major', 'minor', 'patch'])}()`,
          (d) => `${of.ip(d)}.family()`,
          (d) => `${of.cidr(d)}.prefixLength()`,
        ],
      ),
    uint: (depth) =>
      choose(depth, uints, [(d) => `uint(${any(d, 'int', 'string', 'double')})`, (d) => `(${of.uint(d)} ${arithmetic()} ${of.uint(d)})`]),
    double: (depth) =>
      choose(
        depth,
        [...doubles, 'self.d'],
        [
          (d) => `(${of.double(d)} ${one(['+', '-', '*', '/'])} ${of.double(d)})`,
          (d) => `double(${any(d, 'int', 'string', 'uint')})`,
          (d) => `${of.quantity(d)}.asApproximateFloat()`,
        ],
      ),
    string: (depth) =>
      choose(
        depth,
        [...texts, 'self.s', 'self.ls[0]'],
        [
          (d) => `(${of.string(d)} + ${of.string(d)})`,
          (d) => `${of.string(d)}.${one(['lowerAscii', 'upperAscii', 'trim', 'reverse'])}()`,
          (d) => `${of.string(d)}.replace(${of.string(d)}, ${of.string(d)}${one(['', `, ${of.int(0)}`])})`,
          (d) => `${of.string(d)}.substring(${of.int(d)}${one(['', `, ${of.int(d)}`])})`,
          (d) => `${of.string(d)}.charAt(${of.int(d)})`,
          (d) => `string(${any(d, 'int', 'double', 'bool', 'uint', 'duration', 'timestamp', 'bytes', 'ip', 'cidr', 'quantity', 'semver')})`,
          (d) => `${of.strings(d)}.join(${one(['', "','", of.string(d)])})`,
          (d) => `${of.string(d)}.find(${one(patterns)})`,
          (d) => `url(${of.string(d)}).get${one(['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'])}()`,
          (d) => `strings.quote(${of.string(d)})`,
          (d) => `'${one(formats)}'.format([${any(d, 'int', 'string', 'double', 'bool', 'ints')}${one(['', `, ${of.int(d)}`])}])`,
          (d) => `(${of.bool(d)} ? ${of.string(d)} : ${of.string(d)})`,
        ],
      ),
    bytes: (depth) =>
      choose(depth, ["b'abc'", "b''", "b'\\xff'"], [(d) => `bytes(${of.string(d)})`, (d) => `(${of.bytes(d)} + ${of.bytes(d)})`]),
    bool: (depth) =>
      choose(
        depth,
        ['true', 'false', 'self.b'],
        [
          (d) => `(${of.int(d)} ${compared()} ${any(d, 'int', 'uint', 'double')})`,
          (d) => `(${of.string(d)} ${compared()} ${of.string(d)})`,
          (d) => `(${of.bool(d)} ${one(['&&', '||'])} ${of.bool(d)})`,
          (d) => `!(${of.bool(d)})`,
          (d) => `${of.string(d)}.${one(['contains', 'startsWith', 'endsWith'])}(${of.string(d)})`,
          (d) => `${of.string(d)}.matches(${one(patterns)})`,
          (d) => `${of.ints(d)}.${one(['all', 'exists', 'exists_one'])}(x, x ${compared()} ${of.int(d)})`,
          (d) => `self.m.${one(['all', 'exists'])}(k, v, v ${compared()} ${of.int(d)})`,
          (d) => `(${of.int(d)} in ${of.ints(d)})`,
          (d) => `(${of.string(d)} in self.m)`,
          () => `has(self.${one(['i', 's', 'm', 'absent', 'dur'])})`,
          (d) => `is${one(['IP', 'CIDR', 'URL', 'Quantity', 'Semver'])}(${of.string(d)})`,
          (d) => `${of.ip(d)}.is${one(['Unspecified', 'Loopback', 'LinkLocalMulticast', 'LinkLocalUnicast', 'GlobalUnicast'])}()`,
          (d) => `${of.cidr(d)}.contains${one([`IP(${any(d, 'string', 'ip')})`, `CIDR(${any(d, 'string', 'cidr')})`])}`,
          (d) => `(${of.duration(d)} ${compared()} ${of.duration(d)})`,
          (d) => `(${of.timestamp(d)} ${compared()} ${of.timestamp(d)})`,
          (d) => `${of.quantity(d)}.is${one(['GreaterThan', 'LessThan'])}(${of.quantity(d)})`,
          (d) => `${of.semver(d)}.is${one(['GreaterThan', 'LessThan'])}(${of.semver(d)})`,
          (d) =>
            `format.${one(['dns1123Label', 'dns1123Subdomain', 'qualifiedName', 'uuid', 'date', 'labelValue'])}().validate(${of.string(d)}).hasValue()`,
          (d) => `bool(${of.string(d)})`,
          (d) => `sets.${one(['contains', 'equivalent', 'intersects'])}(${of.ints(d)}, ${of.ints(d)})`,
          (d) => `(dyn(${of.int(d)}) ${one(['==', '<'])} dyn(${any(d, 'string', 'double', 'int')}))`,
        ],
      ),
    ints: (depth) =>
      choose(
        depth,
        ['self.li', '[1, 2, 3]', '[]', '[3, 1, 2]'],
        [
          (d) => `[${of.int(d)}, ${of.int(d)}]`,
          (d) => `(${of.ints(d)} + ${of.ints(d)})`,
          (d) => `${of.ints(d)}.filter(x, x ${compared()} ${of.int(0)})`,
          (d) => `${of.ints(d)}.map(x, x ${one(['+', '*', '/'])} ${of.int(0)})`,
          (d) => `${of.ints(d)}.map(x, x > 1, x * 2)`,
          (d) => `${of.ints(d)}.transformList(i, v, i ${one(['+', '*'])} v)`,
        ],
      ),
    strings: (depth) =>
      choose(
        depth,
        ['self.ls', "['a', 'b']", "['x']"],
        [
          (d) => `${of.string(d)}.split(${of.string(d)}${one(['', `, ${of.int(0)}`])})`,
          (d) => `${of.string(d)}.findAll(${one(patterns)}${one(['', `, ${of.int(0)}`])})`,
          (d) => `${of.strings(d)}.map(x, x + ${of.string(0)})`,
          (d) => `[${of.string(d)}, ${of.string(d)}]`,
        ],
      ),
    duration: (depth) =>
      choose(
        depth,
        ["duration('1h30m')", "duration('-5s')", "duration('1.5s')", 'self.dur'],
        [
          (d) => `(${of.duration(d)} ${one(['+', '-'])} ${of.duration(d)})`,
          (d) => `(${of.timestamp(d)} - ${of.timestamp(d)})`,
          (d) => `duration(${any(d, 'string', 'string', 'int')})`,
        ],
      ),
    timestamp: (depth) =>
      choose(depth, times, [
        (d) => `(${of.timestamp(d)} ${one(['+', '-'])} ${of.duration(d)})`,
        (d) => `timestamp(${any(d, 'string', 'int')})`,
      ]),
    quantity: (depth) =>
      choose(
        depth,
        ["quantity('1Gi')", "quantity('500m')", "quantity('-3')", "quantity('1.5k')"],
        [(d) => `quantity(${of.string(d)})`, (d) => `${of.quantity(d)}.${one(['add', 'sub'])}(${any(d, 'quantity', 'int')})`],
      ),
    semver: (depth) =>
      choose(
        depth,
        ["semver('1.2.3')", "semver('2.0.0-rc.1+b5')", "semver('v1.2', true)", "semver('01.2.3')"],
        [(d) => `semver(${of.string(d)}${one(['', ', true'])})`],
      ),
    ip: (depth) =>
      choose(
        depth,
        ["ip('10.0.0.1')", "ip('fd00::1')", "ip('127.0.0.1')", "ip('::ffff:1.2.3.4')"],
        [(d) => `ip(${of.string(d)})`, (d) => `${of.cidr(d)}.ip()`],
      ),
    cidr: (depth) =>
      choose(
        depth,
        ["cidr('10.0.0.0/8')", "cidr('fd00::/64')", "cidr('10.1.2.3/16')"],
        [(d) => `cidr(${of.string(d)})`, (d) => `${of.cidr(d)}.masked()`],
      ),
  };

  return () => {
    const type = one(Object.keys(shown));
    const expression = of[type](2 + random(2));
    return { rule: `dyn(${expression}) == dyn(null) && false`, messageExpression: shown[type](expression) };
  };
}
