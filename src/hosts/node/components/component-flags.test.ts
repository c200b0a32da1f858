import { expect, test } from 'vitest';
import { componentsUsage, parseComponentFlags } from './component-flags.ts';

const given = ['--kubeconfig', 'kc'];

test('all components run by default, as clients of the server of a kubeconfig', () => {
  const flags = parseComponentFlags(given);
  expect(flags).toMatchObject({
    kubeconfig: 'kc',
    names: 'kubernetes',
    scheduler: true,
    nodes: 3,
    leaderElect: true,
    clusterSigning: undefined,
  });
  expect(flags.controllers).toContain('*');
});

test('each component can be left out', () => {
  expect(parseComponentFlags([...given, '--controllers=', '--scheduler=false', '--nodes', '0'])).toMatchObject({
    controllers: [],
    scheduler: false,
    nodes: 0,
  });
  expect(parseComponentFlags([...given, '--simulate-nodes=false']).nodes).toBeUndefined();
});

test('wrong command lines are refused', () => {
  expect(() => parseComponentFlags([])).toThrow('Error: --kubeconfig must be specified');
  expect(() => parseComponentFlags([...given, 'x'])).toThrow('unknown command "x"');
  expect(() => parseComponentFlags([...given, '--secure-port', '1'])).toThrow('Error: unknown flag: --secure-port');
  expect(() => parseComponentFlags([...given, '--controllers', 'x'])).toThrow('Error: "x" is not in the list of known controllers');
  expect(() => parseComponentFlags([...given, '--nodes', '-1'])).toThrow('Error: --nodes can not be negative value');
  expect(() => parseComponentFlags([...given, '--cluster-signing-cert-file', 'a'])).toThrow('must be specified together');
});

test('the help lists every flag', () => {
  expect(parseComponentFlags(['--help']).help).toBe(true);
  for (const flag of ['--kubeconfig FILE', '--leader-elect', '--simulate-nodes', '-h, --help']) expect(componentsUsage).toContain(flag);
});
