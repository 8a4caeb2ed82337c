/** Stores one layer and tells its writer what of it changes nothing. What is warned of must never keep the rest from being stored. */
import { compileSettings, type SettingsWarning, warnOfSettings } from '@bravo/policy';
import { type Caller, subjectOf } from '../callers/caller.ts';
import type { Broker } from '../tool-calls/broker.ts';
import type { SettingsStore } from './settings-store.ts';

export interface PutSettingsParts {
  readonly settings: SettingsStore;
  readonly broker: Pick<Broker, 'listTools'>;
}

/** Weakest first; a layer is ruled over by those before it. */
const LAYERS = ['platform', 'workspace', 'user', 'conversation'] as const;

export const createPutSettings =
  ({ settings, broker }: PutSettingsParts) =>
  async (
    caller: Caller,
    { layer, conversationId }: { layer: string; conversationId: string },
    text: string,
    seen: number,
  ): Promise<{ version: number; warnings: readonly SettingsWarning[] }> => {
    const above = LAYERS.slice(0, Math.max(0, LAYERS.indexOf(layer as (typeof LAYERS)[number])));
    // Asked before anything is stored: an answer that cannot be given whole changes nothing.
    const [tools, ...ruling] = await Promise.all([
      broker.listTools(subjectOf(caller)),
      ...above.map(async (name) => ({ layer: name, text: (await settings.readAbove(caller, name, '')).text })),
    ]);
    const version = await settings.replace(caller, layer, conversationId, text, seen);
    const compiled = compileSettings([...ruling, { layer, text }]);
    return {
      version,
      warnings: warnOfSettings(
        compiled,
        layer,
        tools.map(({ family }) => family),
      ),
    };
  };

export type PutSettings = ReturnType<typeof createPutSettings>;
