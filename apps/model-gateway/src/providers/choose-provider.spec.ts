import { describe, expect, it } from '@jest/globals';
import { chooseProvider, type ProviderSettings } from './choose-provider.ts';

const settings = (over: Partial<ProviderSettings>): ProviderSettings => ({
  provider: 'openai-compatible',
  modelName: 'm',
  modelBaseUrl: 'http://127.0.0.1:1/v1',
  modelApiKey: '',
  ...over,
});
const mistakeOf = (over: Partial<ProviderSettings>): string => {
  try {
    chooseProvider(settings(over));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a provider that is named and not described', () => {
  it.each([
    ['no model', { modelName: '' }, /^BRAVO_MODEL_NAME is not set/],
    ['no address', { modelBaseUrl: '' }, /^BRAVO_MODEL_BASE_URL must be/],
    ['an address of another kind', { modelBaseUrl: 'ftp://h/' }, /^BRAVO_MODEL_BASE_URL must be/],
    ['all there is to say', {}, /^$/],
    ['nothing, because it is the demo', { provider: 'demo', modelName: '', modelBaseUrl: '' }, /^$/],
  ] as const)('with %s is a sentence with its variable, or none', (_what, over, mistake) =>
    expect(mistakeOf(over)).toMatch(mistake),
  );
});
