/** Records a choice of a model or a level. A name that nothing offers and a word that is no level change nothing and say so. */
import { Fault } from '@bravo/faults';
import { chooseModel as chooseName } from '@bravo/policy';
import { EFFORTS, isEffort } from '../providers/model-provider.port.ts';
import type { LoadRoster } from '../rosters/load-roster.ts';
import { AUTOMATIC, isAutomatic } from '../rosters/roster.ts';
import type { Workspaces } from '../workspaces/workspace-view.ts';
import { type ChoiceOwner, type ChoiceStore, isChoiceScope } from './choice-store.ts';

export interface PutChoiceParts {
  readonly workspaces: Workspaces;
  readonly loadRoster: LoadRoster;
  readonly store: ChoiceStore;
}

export interface WantedChoice {
  readonly scope: string;
  readonly model: string;
  readonly effort: string;
}

export type PutChoice = (owner: ChoiceOwner, wanted: WantedChoice, mayConfigure: boolean) => Promise<void>;

const MOST_LETTERS = 300;

export const createPutChoice = ({ workspaces, loadRoster, store }: PutChoiceParts): PutChoice => {
  return async (owner, { scope, model, effort }, mayConfigure) => {
    if (!isChoiceScope(scope))
      throw new Fault('invalid_argument', 'A choice is for a conversation, a person or a workspace.');
    if (scope === 'conversation' && owner.conversationId === '')
      throw new Fault('invalid_argument', 'Name the conversation the choice is for.');
    if (scope === 'workspace' && !mayConfigure)
      throw new Fault('permission_denied', "The workspace's model is chosen by its admins.");
    if (effort !== '' && !isEffort(effort))
      throw new Fault('invalid_argument', `effort is ${EFFORTS.join(', ')} or empty.`, { meta: { field: 'effort' } });
    let kept = model;
    if (model !== '') {
      const { providers } = await workspaces.read(owner);
      const name = chooseName({ recorded: model.slice(0, MOST_LETTERS), tiers: providers.tiers, builtin: AUTOMATIC });
      const target = (await loadRoster(owner, providers)).find(name);
      if (!target)
        throw new Fault('not_found', `There is no model ${JSON.stringify(model.slice(0, 100))} here.`, {
          meta: { field: 'model' },
        });
      kept = isAutomatic(name) ? AUTOMATIC : target.id;
    }
    await store.put(owner, scope, { model: kept, effort: effort as '' }, owner.userId);
  };
};
