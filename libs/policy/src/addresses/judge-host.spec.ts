/** Brackets around a host: both or none, and nothing but an IPv6 address between them. */
import { classifyHost, judgeHost } from './judge-host.ts';

describe('a host in brackets', () => {
  it.each(['[2606:4700::1111]', '2606:4700::1111'])('%s is the address', (host) => {
    expect(classifyHost(host)).toEqual({ kind: 'literal', address: '2606:4700::1111' });
  });

  it.each([
    ...['[2606:4700::1111', '2606:4700::1111]', '[[2606:4700::1111]]', '[2606:4700::1111]:80', '[]', '['],
    ...['[8.8.8.8]', '[8.8.8.8', '8.8.8.8]', '[a.test]', 'a.test]', '[a.test'],
  ])('%s is malformed', (host) => {
    expect(classifyHost(host)).toEqual({ kind: 'malformed' });
    expect(judgeHost(host, ['8.8.8.8'])).toEqual(judgeHost('', ['8.8.8.8']));
  });
});
