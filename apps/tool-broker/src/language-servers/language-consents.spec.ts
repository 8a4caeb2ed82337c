/** The yes to a language server on a real PostgreSQL. */
import { describe, expect, it } from '@jest/globals';
import { useBroker } from '../broker.fixture.ts';
import { createLanguageConsents } from './language-consents.prisma.ts';

const bed = useBroker();

describe('a yes to a language server', () => {
  it('is kept for its language and conversation, and gone with it [lsp.once]', async () => {
    const consents = createLanguageConsents(bed.database);
    const [one, other] = [await bed.begin(), await bed.begin()];
    expect(await consents.has(one.conversationId, 'python')).toBe(false);
    await consents.keep(one.conversationId, 'python', 'tc_1');
    await consents.keep(one.conversationId, 'python', 'tc_2');
    expect(await consents.has(one.conversationId, 'python')).toBe(true);
    expect(await consents.has(one.conversationId, 'typescript')).toBe(false);
    expect(await consents.has(other.conversationId, 'python')).toBe(false);
  }, 60_000);
});
