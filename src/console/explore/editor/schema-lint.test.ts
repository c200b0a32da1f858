import { yamlLanguage } from '@codemirror/lang-yaml';
import { expect, test } from 'vitest';
import { lintUnknown } from './schema-lint.ts';
import { readDocuments } from './yaml-nodes.ts';

function messagesOf(text: string): readonly string[] {
  return readDocuments(yamlLanguage.parser.parse(text), text).flatMap((root) =>
    lintUnknown(root, ['Pod', 'Service']).map(({ message }) => message),
  );
}

test.each([
  ['apiVersion: v1\nkind: Pot\n', ['the server has no kind Pot in v1: did you mean Pod?']],
  ['apiVersion: v1\nkind: Elephant\n', ['the server has no kind Elephant in v1']],
  ['kind: Pod\n', ['apiVersion is missing']],
  ['apiVersion: v1\nknd: Pod\n', ['unknown field "knd": did you mean kind?', 'kind is missing']],
  ['apiVersion: v1\nkind: Config\n', []],
  ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n', []],
])('the findings of %j are %j', (text, expected) => {
  expect(messagesOf(text)).toEqual(expected);
});
