/**
 * Which model answers a call made now: the conversation's, else the person's, else the workspace's, else the settings', else
 * automatic. A recorded name that nothing offers any more is reset to automatic and never sent.
 */
import { chooseModel as chooseName } from '@bravo/policy';
import type { Target } from '../attempts/answer-patiently.ts';
import type { Effort } from '../providers/model-provider.port.ts';
import type { LoadRoster } from '../rosters/load-roster.ts';
import { AUTOMATIC, type Roster } from '../rosters/roster.ts';
import type { WorkspaceView, Workspaces } from '../workspaces/workspace-view.ts';
import { CHOICE_SCOPES, type ChoiceOwner, type Choices, type ChoiceScope, type ChoiceStore } from './choice-store.ts';

export interface ModelInForce {
  /** The chosen one, then whoever answers in its place. */
  readonly targets: readonly [Target, ...Target[]];
  /** Absent: no level is sent. */
  readonly effort: Effort | undefined;
  readonly decidedBy: ChoiceScope | 'settings' | 'automatic';
  readonly roster: Roster;
  readonly view: WorkspaceView;
  readonly choices: Choices;
}

export interface ChooseModelParts {
  readonly workspaces: Workspaces;
  readonly loadRoster: LoadRoster;
  readonly store: ChoiceStore;
  /** The operator's second model; empty: none. */
  readonly fallback: string;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export type ChooseModel = (owner: ChoiceOwner) => Promise<ModelInForce>;

export const createChooseModel = ({ workspaces, loadRoster, store, fallback, log }: ChooseModelParts): ChooseModel => {
  return async (owner) => {
    const [view, choices] = await Promise.all([workspaces.read(owner), store.read(owner)]);
    const roster = await loadRoster(owner, view.providers);
    const { automatic } = roster;
    if (!automatic) throw new Error('The roster has no model of its own.');
    const { tiers } = view.providers;
    const named = (name: string): Target | undefined =>
      roster.find(chooseName({ recorded: name, tiers, builtin: AUTOMATIC }));

    let target: Target | undefined;
    let decidedBy: ModelInForce['decidedBy'] = 'automatic';
    for (const scope of CHOICE_SCOPES) {
      const { model } = choices[scope];
      if (model === '') continue;
      target = named(model);
      decidedBy = scope;
      if (target) break;
      // Nobody lists it and nobody could: whoever chose it chose what is gone.
      log('a chosen model is offered no more and was reset', { scope, model, workspace: owner.workspaceId });
      await store.reset(owner, scope, model, AUTOMATIC);
      target = automatic;
      break;
    }
    if (!target && view.model !== undefined) {
      target = named(view.model);
      if (target) decidedBy = 'settings';
    }
    const chosen = target ?? automatic;
    const second = named(view.fallbackModel ?? fallback) ?? chosen;
    const effort = CHOICE_SCOPES.map((scope) => choices[scope].effort).find((word) => word !== '') || undefined;
    return {
      targets: second.id === chosen.id || (view.fallbackModel ?? fallback) === '' ? [chosen] : [chosen, second],
      effort,
      decidedBy,
      roster,
      view,
      choices,
    };
  };
};
