/** What was used this month and what is left, where nothing else is open. It shows numbers of the server and computes none of its own. */
import { useEffect, useState } from 'react';
import { readUsage } from '../api/bravo.client.ts';
import type { UsageReport } from '../api/contract.ts';
import { formatDuration } from '../messages/format-amounts.ts';
import { formatDollars, formatTokens, type Meter, tellCredits, tellLimit } from './tell-limit.ts';

const MOST_MODELS = 5;

export function UsageCard({ workspace }: { workspace: string }) {
  const [usage, setUsage] = useState<UsageReport | null>(null);
  useEffect(() => {
    let gone = false;
    // Where it cannot be read nothing is shown: nobody came here for it.
    readUsage(workspace).then(
      (read) => !gone && setUsage(read),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [workspace]);
  if (!usage) return null;
  const { total, by_model: models } = usage;
  // A call that ended before its first word counts nothing, and a row of nothing tells nothing.
  const dearest = models
    .filter((row) => amountOf(row) > 0)
    .sort((a, b) => amountOf(b) - amountOf(a))
    .slice(0, MOST_MODELS);
  return (
    <section aria-labelledby="usage-title" data-testid="usage" className="space-y-3 border-t border-border pt-7">
      <h2 id="usage-title" className="font-medium">
        This month
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 text-sm sm:grid-cols-4">
        <Amount name="Tokens" value={formatTokens(total.input_tokens + total.output_tokens)} />
        <Amount name="Answers" value={formatTokens(total.requests)} />
        <Amount name="Agent time" value={formatDuration(total.container_seconds * 1_000)} />
        {total.cost_usd > 0 && <Amount name="Cost" value={formatDollars(total.cost_usd)} />}
      </dl>
      <ul className="space-y-2 text-sm">
        {[tellCredits(usage.credits), ...usage.limits.map(tellLimit)].map((meter) => (
          <Bar key={meter.name} {...meter} />
        ))}
      </ul>
      {dearest.length > 0 && (
        <table className="w-full text-sm">
          <caption className="sr-only">By model</caption>
          <tbody>
            {dearest.map((row) => (
              <tr key={row.model}>
                <th scope="row" className="max-w-0 truncate py-0.5 text-left font-normal text-muted">
                  {row.model}
                </th>
                <td className="w-px py-0.5 pl-3 text-right whitespace-nowrap tabular-nums">
                  {formatTokens(amountOf(row))} tokens
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const amountOf = (row: { input_tokens: number; output_tokens: number }): number => row.input_tokens + row.output_tokens;

function Amount({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

function Bar({ name, text, share }: Meter) {
  return (
    <li>
      <div className="flex justify-between gap-3">
        <span className="text-muted">{name}</span>
        <span className="tabular-nums">{text}</span>
      </div>
      <div aria-hidden="true" className="mt-1 h-1 overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full ${share >= 0.9 ? 'bg-bad' : 'bg-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </li>
  );
}
