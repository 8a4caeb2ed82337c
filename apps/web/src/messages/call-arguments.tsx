/** A call's arguments, every one in full; nothing that decides is shortened, hidden to the right or reordered. */
import { callArguments } from './describe-call.ts';
import { HiddenText } from './hidden-text.tsx';

export function CallArguments({ input }: { input: unknown }) {
  const all = callArguments(input);
  if (all.length === 0) return <p className="text-sm text-muted">No arguments.</p>;
  return (
    <dl className="space-y-2">
      {all.map((argument) =>
        argument.block ? (
          <div key={argument.name}>
            <dt className="mb-1 text-xs font-medium text-muted">
              <HiddenText text={argument.name} />
              <span className="font-normal"> · {lineCount(argument.text)}</span>
            </dt>
            <dd className="exact rounded-lg bg-sunken px-3 py-2.5" data-testid={`argument-${argument.name}`}>
              <HiddenText text={argument.text} />
            </dd>
          </div>
        ) : (
          <div key={argument.name} className="flex items-baseline gap-2">
            <dt className="text-xs font-medium text-muted">
              <HiddenText text={argument.name} />
            </dt>
            <dd className="exact" data-testid={`argument-${argument.name}`}>
              <HiddenText text={argument.text} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

function lineCount(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}
