/** Makes the one provider the configuration names; an incomplete configuration stops the start and never falls back to another. */
import type { ModelProvider } from './model-provider.port.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible/openai-compatible-provider.ts';

export interface ProviderSettings {
  readonly provider: 'demo' | 'openai-compatible';
  readonly modelName: string;
  readonly modelBaseUrl: string;
  readonly modelApiKey: string;
}

export function chooseProvider({ provider, modelName, modelBaseUrl, modelApiKey }: ProviderSettings): ModelProvider {
  switch (provider) {
    case 'demo':
      return createDemoProvider();
    case 'openai-compatible':
      return chooseOpenAiCompatible(modelName, modelBaseUrl, modelApiKey);
    default:
      throw new Error(`"${String(provider satisfies never)}" is no model provider; BRAVO_MODEL_PROVIDER names one.`);
  }
}

function chooseOpenAiCompatible(modelName: string, modelBaseUrl: string, modelApiKey: string): ModelProvider {
  if (modelName === '')
    throw new Error('BRAVO_MODEL_NAME is not set; BRAVO_MODEL_PROVIDER=openai-compatible needs the name of the model.');
  if (!URL.canParse(modelBaseUrl) || !/^https?:/.test(modelBaseUrl)) {
    throw new Error('BRAVO_MODEL_BASE_URL must be an http or https address, for example http://127.0.0.1:11434/v1.');
  }
  return createOpenAiCompatibleProvider({ baseUrl: modelBaseUrl, apiKey: modelApiKey, model: modelName });
}
