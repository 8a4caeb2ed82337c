/** Brings delegates that have nothing left to do to their end: reported to their parent once, then ended with pod, token and everything they held. */
import type { Broker } from '../conversations/broker.ts';
import type { DelegateStore, RestingDelegate } from './delegate-store.ts';
import type { TellDelegates } from './tell-delegates.ts';

export interface SettleDelegatesParts {
  readonly delegates: DelegateStore;
  readonly broker: Pick<Broker, 'report'>;
  readonly tell: TellDelegates;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const BATCH = 50;

export const createSettleDelegates = (parts: SettleDelegatesParts) => async (): Promise<void> => {
  for (const delegate of await parts.delegates.resting(BATCH)) {
    try {
      await settle(parts, delegate);
    } catch (err) {
      parts.log('a delegate could not be brought to its end yet', { conversation: delegate.conversationId, err });
    }
  }
};

const settle = async ({ delegates, broker, tell }: SettleDelegatesParts, delegate: RestingDelegate): Promise<void> => {
  const { conversationId, rootId } = delegate;
  const reported = delegate.silent ? 'nothing' : await report({ delegates, broker }, delegate);
  if (reported === undefined) return;
  if (await delegates.settle(delegate, reported)) await tell(delegate, rootId, [conversationId]);
};

/** `undefined` while something of it is under way. */
const report = async (
  { delegates, broker }: Pick<SettleDelegatesParts, 'delegates' | 'broker'>,
  delegate: RestingDelegate,
): Promise<'words' | 'reference' | undefined> => {
  const { conversationId, name, outcome } = delegate;
  const ask = (takenWork: readonly string[]) =>
    broker.report(delegate, { conversationId, name, outcome, report: wordsOf(delegate), takenWork });
  let answer = await ask([]);
  if (!answer.reported && answer.openWork.length > 0) {
    const taken = await delegates.takenWork(answer.openWork);
    if (taken.length === answer.openWork.length) answer = await ask(taken);
  }
  if (!answer.reported) return undefined;
  return answer.told ? 'words' : 'reference';
};

const wordsOf = ({ report, errorDetail }: RestingDelegate): string =>
  errorDetail === '' ? report : [report, `(${errorDetail})`].filter((part) => part !== '').join('\n\n');
