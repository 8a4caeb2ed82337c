/** Layers of settings and what each may say. Guarantees that what a layer may do is written here and nowhere else; a layer that is not listed is never read. */

export interface SettingsLayer {
  readonly name: string;
  /** Keys read past on this layer, with the reason a person is given. */
  readonly ignores: Readonly<Record<string, string>>;
  /** Whether it may hold keys down for every layer after it. */
  readonly mayLock: boolean;
  /** Whether an allow rule of this layer holds, or only proposes itself to the person. */
  readonly allowRules: 'hold' | 'propose';
  /** An operator may name a profile and a private address in a provider block, a tenant may not. */
  readonly providers: 'operator' | 'tenant';
}

const layer = (name: string, over: Partial<Omit<SettingsLayer, 'name'>> = {}): SettingsLayer => ({
  name,
  ignores: {},
  mayLock: false,
  allowRules: 'hold',
  providers: 'tenant',
  ...over,
});

const VETTING = { vetting: 'Vetting is switched by the workspace.' };
const NOT_FROM_FILES = 'A file of the repository may not set it; set it for yourself or for the workspace.';

/** Weakest first: operator, admins, the person, the files, the conversation (D12). */
export const SETTINGS_LAYERS: readonly SettingsLayer[] = [
  layer('platform', { mayLock: true, providers: 'operator' }),
  layer('workspace', { mayLock: true }),
  layer('user', { ignores: VETTING }),
  layer('repository', {
    allowRules: 'propose',
    ignores: {
      ...VETTING,
      provider: NOT_FROM_FILES,
      env: NOT_FROM_FILES,
      model: NOT_FROM_FILES,
      fallbackModel: NOT_FROM_FILES,
      instructions: 'Write them into AGENTS.md among the files.',
    },
  }),
  layer('conversation', { ignores: VETTING }),
];

/** The three files of one person on one machine, weakest first: all of it is that person's own. */
export const SINGLE_USER_LAYERS: readonly SettingsLayer[] = ['home', 'project', 'local'].map((name) =>
  layer(name, { providers: 'operator', ignores: { vetting: 'It is not a key of these files.' } }),
);
