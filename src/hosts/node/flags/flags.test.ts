import { expect, test } from 'vitest';
import real from '../../../../test/facts/server/flags.json' with { type: 'json' };
import { parseFlags } from './flags.ts';
import { readFlags } from './read-flags.ts';

test('parses values after an equals sign, or as the next argument', () => {
  expect(parseFlags(['--secure-port', '8443', '--bind-address=::1', '--trace'])).toMatchObject({
    securePort: 8443,
    bindAddress: '::1',
    trace: true,
    names: 'svc',
  });
});

test('parses a bool flag without value as true, and underscores in names as dashes', () => {
  expect(parseFlags(['--watch_cache=F'])).toMatchObject({ watchCache: false });
  expect(parseFlags(['--watch-cache'])).toMatchObject({ watchCache: true });
});

test('merges all occurrences of a list, and parses quoted commas', () => {
  const { values } = readFlags(['--api-audiences=a,"b,c"', '--api-audiences', 'd', '--service-account-issuer=x,y']);
  expect([values.list('api-audiences'), values.list('service-account-issuer')]).toEqual([['a', 'b,c', 'd'], ['x,y']]);
});

test('parses settings without a value', () => {
  const { values } = readFlags(['--runtime-config=api/all, apps/v1 = false', '--runtime-config=api/all=true']);
  expect([...values.pairs('runtime-config')]).toEqual([
    ['api/all', 'true'],
    ['apps/v1', 'false'],
  ]);
});

test('accepts every flag of the real server', () => {
  const values: Readonly<Record<string, string>> = {
    bool: 'true',
    namedCertKey: 'a,b',
    quantity: '1Ki',
    duration: '1s',
    int: '1',
    ip: '::1',
    Level: '1',
    float: '0',
    float32: '0',
    portRange: '1-2',
    'pattern=N,...': 'a=1',
  };
  const unknown = real
    .filter(({ flag }) => flag !== 'version')
    .filter(({ flag, type }) => !readFlags([`--${flag}=${values[type] ?? 'a=b'}`]).values.isGiven(flag));
  expect(unknown).toEqual([]);
});

test('reports flags without effect', () => {
  expect(parseFlags(['--profiling=false', '-v5', '--watch-cache=false']).idle).toEqual(['v']);
});

test.each([
  [['--nope=1'], 'Error: unknown flag: --nope'],
  [['-x'], "Error: unknown shorthand flag: 'x' in -x"],
  [['--secure-port'], 'Error: flag needs an argument: --secure-port'],
  [['--=a'], 'Error: bad flag syntax: --=a'],
  [['here'], 'Error: "svc-apiserver" does not take any arguments, got ["here"]'],
  [
    ['--kubelet-timeout=99999999999999999999'],
    'Error: invalid argument "99999999999999999999" for "--kubelet-timeout" flag: time: invalid duration "99999999999999999999"',
  ],
  [
    ['--tls-sni-cert-key=a.crt'],
    'Error: invalid argument "a.crt" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths',
  ],
  [
    ['--log-text-info-buffer-size=x'],
    `Error: invalid argument "x" for "--log-text-info-buffer-size" flag: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
  ],
  [['--livez-grace-period=soon'], 'Error: invalid argument "soon" for "--livez-grace-period" flag: time: invalid duration "soon"'],
  [['--watch-cache=no'], 'Error: invalid argument "no" for "--watch-cache" flag: strconv.ParseBool: parsing "no": invalid syntax'],
  [['-v', 'a'], 'Error: invalid argument "a" for "-v, --v" flag: strconv.ParseUint: parsing "a": invalid syntax'],
  [['--v=-1'], 'Error: invalid argument "-1" for "-v, --v" flag: strconv.ParseUint: parsing "-1": invalid syntax'],
  [['--vmodule=a=1,b'], 'Error: invalid argument "a=1,b" for "--vmodule" flag: "b" does not have the pattern=N format'],
  [
    ['--vmodule=a=2147483648'],
    'Error: invalid argument "a=2147483648" for "--vmodule" flag: parsing verbosity in "a=2147483648": strconv.ParseUint: parsing "2147483648": value out of range',
  ],
  [['--allow-metric-labels=a'], 'Error: invalid argument "a" for "--allow-metric-labels" flag: a must be formatted as key=value'],
  [['--logging-format=xml', '--goaway-chance=1'], 'format: Invalid value: "xml": Unsupported log format'],
  [
    ['--etcd-servers-overrides=/events/http://127.0.0.1:4002'],
    '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
  ],
  [['--admission-control=x'], 'admission-control plugin "x" is unknown'],
  [['--endpoint-reconciler-type=x'], 'Reconciler not implemented: x'],
  [
    ['--coordinated-leadership-lease-duration=1s'],
    '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline',
  ],
  [
    ['--coordinated-leadership-renew-deadline=2s'],
    '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period',
  ],
  [
    ['--service-account-issuer=a', '--service-account-signing-key-file=/k', '--service-account-signing-endpoint=@a'],
    'service-account-signing-key-file and service-account-signing-endpoint are mutually exclusive and cannot be set at the same time',
  ],
  [
    ['--service-account-signing-endpoint=@a@'],
    'invalid value "@a@" passed for `--service-account-signing-endpoint`, when prefixed with @ must be a valid abstract socket name',
  ],
  [['--kubernetes-service-node-port=80'], "kubernetes service node port range 30000-32767 doesn't contain 80"],
  [
    ['--kubernetes-service-node-port=-1'],
    '--kubernetes-service-node-port -1 must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP',
  ],
  [
    ['--max-requests-inflight=9223372036854775808'],
    'Error: invalid argument "9223372036854775808" for "--max-requests-inflight" flag: strconv.ParseInt: parsing "9223372036854775808": value out of range',
  ],
  [['--bind-address=here'], 'Error: invalid argument "here" for "--bind-address" flag: failed to parse IP: "here"'],
  [['--oidc-required-claim=a'], 'Error: invalid argument "a" for "--oidc-required-claim" flag: malformed pair, expect string=string'],
  [['--feature-gates=NoSuchGate=true', '--service-cluster-ip-range=nope'], 'unrecognized feature gate: NoSuchGate'],
  [['--feature-gates=WatchList'], 'missing bool value for WatchList'],
  [['--service-cluster-ip-range=nope', '--goaway-chance=1'], 'service-cluster-ip-range[0] is not a valid cidr'],
  [
    ['--runtime-config=api/all=false'],
    '[--runtime-config=api/all=false conflicts with --enable-priority-and-fairness=true, invalid key with only api/all=false]',
  ],
  [['--runtime-config=api/ga=false'], '--runtime-config=api/ga=false conflicts with --enable-priority-and-fairness=true'],
  [
    ['--runtime-config=flowcontrol.apiserver.svc/v1=false'],
    '--runtime-config=flowcontrol.apiserver.svc/v1=false conflicts with --enable-priority-and-fairness=true',
  ],
  [
    ['--names=kubernetes', '--runtime-config=flowcontrol.apiserver.k8s.io/v1=false'],
    '--runtime-config=flowcontrol.apiserver.k8s.io/v1=false conflicts with --enable-priority-and-fairness=true',
  ],
  [
    ['--storage-media-type=text/plain'],
    '--storage-media-type "text/plain" invalid, allowed values: application/json, application/vnd.svc.protobuf, application/yaml',
  ],
  [['--audit-log-path=a', '--audit-log-version=v2'], 'invalid group version, allowed versions are [{"audit.svc" "v1"}]'],
  [
    ['--cors-allowed-origins=app.test'],
    '--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header, help: List of allowed',
  ],
  [
    ['--strict-transport-security-directives=max-age'],
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime',
  ],
  [['--service-cluster-ip-range=10.0.0.0/16,nope'], 'service-cluster-ip-range[1] is not an ip net'],
  [
    ['--service-cluster-ip-range=10.0.0.0/12,10.1.0.0/16'],
    '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
  ],
  [
    ['--service-cluster-ip-range=10.0.0.0/30'],
    'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses',
  ],
  [
    ['--service-node-port-range=x'],
    'Error: invalid argument "x" for "--service-node-port-range" flag: strconv.Atoi: parsing "x": invalid syntax',
  ],
  [
    ['--service-node-port-range=2-1'],
    'Error: invalid argument "2-1" for "--service-node-port-range" flag: end port cannot be less than start port: 2-1',
  ],
  [
    ['--service-node-port-range=1-70000'],
    'Error: invalid argument "1-70000" for "--service-node-port-range" flag: the port range cannot be greater than 65535: 1-70000',
  ],
  [
    ['--goaway-chance=1', '--livez-grace-period=-1s'],
    '[--livez-grace-period can not be a negative value, --goaway-chance can not be less than 0 or greater than 0.02]',
  ],
  [['--tls-min-version=x'], 'unknown tls version "x"'],
  [['--tls-cipher-suites=TLS_AES_128_GCM_SHA256,x'], "Cipher suite x not supported or doesn't exist"],
  [['--tls-cert-file=a'], 'missing filename for serving cert'],
  [['--encryption-provider-config=a'], '--encryption-provider-config needs --etcd-servers: other storage is not encrypted'],
  [['--watch-cache-sizes=pods#1,x'], 'invalid value of watch cache size: x'],
  [['--tls-min-version=x', '--secure-port=99999'], '--secure-port 99999 must be between 1 and 65535'],
])('rejects %j', (words, message) => {
  expect(() => parseFlags(words)).toThrow(message);
});

test('reads the service ranges of the flags', () => {
  const { addresses, nodePorts } = parseFlags([
    '--service-cluster-ip-range=10.0.0.0/24,fd00::/108',
    '--service-node-port-range=30000+9',
  ]).serviceRanges;
  expect(addresses.map(({ family, text }) => `${family} ${text}`)).toEqual(['IPv4 10.0.0.0/24', 'IPv6 fd00::/108']);
  expect([nodePorts.first, nodePorts.last]).toEqual([30_000n, 30_009n]);
});

test.each([
  ['svc', 'flowcontrol.apiserver.svc/v1'],
  ['kubernetes', 'flowcontrol.apiserver.k8s.io/v1'],
])('allows all stable versions to be off under the names of %s, except the one that priority and fairness needs', (names, version) => {
  const setting = `api/ga=false,v1=true,${version}=true`;
  expect([...parseFlags([`--names=${names}`, `--runtime-config=${setting}`]).runtimeConfig]).toEqual([
    ['api/ga', 'false'],
    ['v1', 'true'],
    [version, 'true'],
  ]);
});
