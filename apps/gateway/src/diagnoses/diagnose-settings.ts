/** What is in force for the asking person, read from where it is kept. Guarantees that a person is told of layers above their own by name alone; it must never tell a value. */
import { compileSettings, diagnoseSettings, type LayerSource } from '@bravo/policy';
import { type Caller, managesMembers, subjectOf } from '../callers/caller.ts';
import type { Repositories } from '../repositories/repositories.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Broker } from '../tool-calls/broker.ts';
import type { DiagnosisView } from './doctor-routes.ts';

/** Names of sealed secrets that a provider in force would be signed with. */
export type FoundSecrets = (caller: Caller, conversationId: string) => Promise<readonly string[]>;

export interface DiagnoseParts {
  readonly settings: SettingsStore;
  readonly broker: Pick<Broker, 'listTools'>;
  readonly repositories: Pick<Repositories, 'see'>;
  readonly foundSecrets: FoundSecrets;
}

export type Diagnose = (caller: Caller, conversationId: string) => Promise<DiagnosisView>;

const HELD: Readonly<Record<string, string>> = { repository: 'first_seen', conversation: 'next_call' };

export const createDiagnose =
  ({ settings, broker, repositories, foundSecrets }: DiagnoseParts): Diagnose =>
  async (caller, conversationId) => {
    const subject = subjectOf(caller);
    const inConversation = conversationId !== '';
    const stored = ['platform', 'workspace', 'user', ...(inConversation ? ['conversation'] : [])];
    const [tools, secrets, repository, ...documents] = await Promise.all([
      broker.listTools(subject),
      foundSecrets(caller, conversationId),
      inConversation ? repositories.see(subject, conversationId) : undefined,
      ...stored.map(async (layer) => ({ layer, ...(await settings.readAbove(caller, layer, conversationId)) })),
    ]);
    const file = repository?.found ? [toDocument(repository)] : [];
    const layers = [...documents.slice(0, 3), ...file, ...documents.slice(3)];
    const compiled = compileSettings(
      layers.map(({ layer, text }): LayerSource => {
        return { layer, text, ...(layer === 'repository' ? { acceptedRules: repository?.accepted ?? [] } : {}) };
      }),
    );
    const seesAll = managesMembers(caller);
    const {
      findings,
      ok: _,
      ...found
    } = diagnoseSettings(compiled, {
      families: tools.map(({ family }) => family),
      secrets,
      mayNameSecrets: (layer) => layer === 'workspace' || seesAll,
      providerHosts: compiled.settings.providerHosts,
    });
    const told = [
      ...(repository && repository.refused_because !== '' ? [refusedFile(repository.refused_because)] : []),
      // A layer holds more than rules, so being ruled by one is no reason to read in it.
      ...findings.filter(({ layer }) => seesAll || !['platform', 'workspace'].includes(layer)),
    ];
    const unreadable = new Set(compiled.unreadableLayers);
    return {
      ...(structuredClone(found) as Omit<DiagnosisView, 'ok' | 'layers' | 'findings'>),
      ok: told.every(({ severity }) => severity !== 'error'),
      layers: layers.map(({ layer, version, text }) => ({
        ...{ layer, version, bytes: Buffer.byteLength(text) },
        state: unreadable.has(layer) ? 'unreadable' : text === '{}' ? 'empty' : 'in_force',
        held: HELD[layer] ?? 'next_conversation',
      })),
      findings: told.map((finding) => ({ ...finding })),
    };
  };

const toDocument = ({ text, accepted }: { text: string; accepted: readonly string[] }) => ({
  layer: 'repository',
  version: 1 + accepted.length,
  text,
});

const refusedFile = (why: string) => ({
  ...{ severity: 'error' as const, code: 'unparseable', layer: 'repository', key: '', rule: '', line: 0 },
  text: `The file .bravo/settings.json of the conversation changes nothing: ${why}.`,
});
