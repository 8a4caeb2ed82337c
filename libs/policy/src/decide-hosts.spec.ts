import { decide } from './decide.ts';
import { fetchUrl } from './calls.fixture.ts';
import { factsFor } from './facts.fixture.ts';

describe('a question about a URL', () => {
  const manifest = {
    ...fetchUrl,
    arguments: { url: { class: 'routing', reaches: 'url' }, why: { class: 'content' } },
  } as const;
  const askedOf = (host: string) =>
    decide(
      factsFor(manifest as never, {
        arguments: { url: 'https://example.com@evil.test/' },
        resolvedTargets: { url: host },
      }),
    );

  it('has the host that will be reached on a line of its own [fetch.host-shown]', () => {
    const asked = askedOf('evil.test');
    expect(asked.effect).toBe('ask');
    expect(asked.reasons.map(({ text }) => text)).toContain('The host it reaches: evil.test');
  });
});
