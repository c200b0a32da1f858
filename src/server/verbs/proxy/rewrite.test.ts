import { expect, test } from 'vitest';
import { rewriteLinks, rewriteUrl } from './rewrite.ts';

const rewriting = { prefix: '/api/v1/namespaces/a/pods/b/proxy', backend: '10.244.0.5:80', requested: 'localhost:8001' };

test.each([
  ['/x?y#z', '/api/v1/namespaces/a/pods/b/proxy/x?y#z'],
  ['x/y', 'x/y'],
  ['http://10.244.0.5:80/x/', '/api/v1/namespaces/a/pods/b/proxy/x/'],
  ['http://localhost:8001/x', 'http://localhost:8001/api/v1/namespaces/a/pods/b/proxy/x'],
  ['https://example.com/x', 'https://example.com/x'],
  ['/api/v1/namespaces/a/pods/b/proxy/x', '/api/v1/namespaces/a/pods/b/proxy/x'],
  ['#top', '#top'],
])('%s becomes %s', (url, rewritten) => {
  expect(rewriteUrl(url, rewriting)).toBe(rewritten);
});

test('attributes with URLs are rewritten, and nothing else', () => {
  const page = `<!-- <a href="/no"> --><a class="/no" HREF='/yes'>/no</a><script src=/yes>'<a href="/no">'</script><p href="/no"><img src="/a>b">`;
  const to = rewriting.prefix;
  expect(rewriteLinks(page, rewriting)).toBe(
    `<!-- <a href="/no"> --><a class="/no" HREF='${to}/yes'>/no</a><script src=${to}/yes>'<a href="/no">'</script><p href="/no"><img src="${to}/a>b">`,
  );
});

test('a page that is cut off stays as it is', () => {
  expect(rewriteLinks('<p>1 < 2 <a href="/x', rewriting)).toBe('<p>1 < 2 <a href="/x');
});
