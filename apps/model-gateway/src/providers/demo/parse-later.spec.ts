import { describe, expect, it } from '@jest/globals';
import { parseRequests } from './parse-requests.ts';

describe('what is looked at later', () => {
  it.each([
    ['watch notes.txt', [{ kind: 'watch', path: 'notes.txt' }]],
    ['watch the file "my notes.txt"', [{ kind: 'watch', path: 'my notes.txt' }]],
    ['look again in 90 seconds', [{ kind: 'again', seconds: 90 }]],
    ['list files then look again in 2 minutes', [{ kind: 'list' }, { kind: 'again', seconds: 120 }]],
  ])('%j', (words, requests) => expect(parseRequests(words)).toEqual(requests));
});
