import { expect, test } from 'vitest';
import { parseUrl } from '../index.ts';

test.each([
  [
    'https://u:p@d.example.com:8443/x?q=1#f',
    { scheme: 'https', hasUser: true, host: 'd.example.com:8443', path: '/x', query: 'q=1', fragment: 'f' },
  ],
  ['HTTPS://[::1]:6443', { scheme: 'https', hasUser: false, host: '[::1]:6443', path: '', query: '', fragment: '' }],
  ['mailto:a@b', { scheme: 'mailto', hasUser: false, host: '', path: '', query: '', fragment: '' }],
  ['a/b', { scheme: '', hasUser: false, host: '', path: 'a/b', query: '', fragment: '' }],
])('parses %s', (text, parts) => {
  expect(parseUrl(text)).toEqual(parts);
});

test.each([
  ['https://%zz', 'parse "https://%zz": invalid URL escape "%zz"'],
  ['https://a/%', 'parse "https://a/%": invalid URL escape "%"'],
  ['https://a:b', 'parse "https://a:b": invalid port ":b" after host'],
  ['dns://bad url:::', 'parse "dns://bad url:::": invalid character " " in host name'],
  ['https://a b', 'parse "https://a b": invalid character " " in host name'],
  [':a', 'parse ":a": missing protocol scheme'],
  ['1a:b', 'parse "1a:b": first path segment in URL cannot contain colon'],
  ['https://[::1', `parse "https://[::1": missing ']' in host`],
  ['https://a<b@c', 'parse "https://a<b@c": net/url: invalid userinfo'],
])('rejects %s', (text, message) => {
  expect(() => parseUrl(text)).toThrow(message);
});
