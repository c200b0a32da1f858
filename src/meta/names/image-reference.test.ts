import { describe, expect, it } from 'vitest';
import { isImageReference } from './image-reference.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

describe('references to images', () => {
  it.each([
    'nginx',
    'nginx:1.29',
    'library/nginx',
    'localhost:5000/a/b__c:Tag_1.x-y',
    'Registry.example.com/app',
    '[2001:db8::1]:5000/app:v1',
    `app@${digest}`,
    `app:v1@${digest}`,
    'a--b/c.d',
    `app:${'t'.repeat(128)}`,
  ])('accepts %s', (image) => {
    expect(isImageReference(image)).toBe(true);
  });

  it.each([
    '',
    'Nginx',
    'nginx:',
    'nginx:-1',
    '/nginx',
    'nginx/',
    'a___b',
    'a..b',
    'app name',
    'app@sha256:12',
    'app@',
    'example.com/App',
    'example.com:port/app',
    `app:${'t'.repeat(129)}`,
    'app\n',
  ])('rejects %j', (image) => {
    expect(isImageReference(image)).toBe(false);
  });
});
