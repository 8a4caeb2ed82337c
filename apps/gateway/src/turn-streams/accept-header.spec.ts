import { describe, expect, it } from '@jest/globals';
import { asksForEvents, takesEvents } from './accept-header.ts';

describe('the Accept header', () => {
  it.each([
    ['text/event-stream', true, true],
    ['application/json, text/event-stream', true, true],
    ['Text/Event-Stream; q=0.1', true, true],
    ['text/event-stream;q=0, application/json', false, false],
    ['*/*', false, true],
    ['application/json', false, false],
    [undefined, false, true],
  ])('%s', (accept, asks, takes) => {
    expect([asksForEvents(accept), takesEvents(accept)]).toEqual([asks, takes]);
  });
});
