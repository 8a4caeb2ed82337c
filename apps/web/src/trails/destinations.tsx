/** Where the trail is delivered to: how far each place has it and what is wrong with it, and for admins what can be done about it. A secret is shown once, when it was made. */
import { useCallback, useEffect, useState } from 'react';
import { toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { AddDestination } from './add-destination.tsx';
import { type Destination, putDestination, readDestinations, removeDestination } from './destinations.client.ts';

const LOOK_MS = 5_000;
const KINDS: Record<Destination['kind'], string> = { syslog: 'Syslog', webhook: 'Webhook', s3: 'Object store' };

export function Destinations({ workspace }: { workspace: string }) {
  const [destinations, setDestinations] = useState<Destination[] | null>(null);
  const [problem, setProblem] = useState('');
  const [secret, setSecret] = useState('');
  const [adding, setAdding] = useState(false);

  const look = useCallback(
    () => readDestinations(workspace).then(setDestinations, (error: unknown) => setProblem(toProblem(error).sentence)),
    [workspace],
  );
  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [look]);

  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      const made = await work();
      setSecret(typeof made === 'string' ? made : '');
      setProblem('');
      await look();
      return true;
    } catch (error) {
      setProblem(toProblem(error).sentence);
      return false;
    }
  };

  return (
    <section className="mb-6 rounded-lg border border-border bg-surface p-3 text-sm" data-testid="trail-destinations">
      <div className="flex items-center gap-2">
        <h2 className="flex-1 font-medium">Delivered to</h2>
        <Button onClick={() => setAdding(!adding)}>{adding ? 'Close' : 'Add a destination'}</Button>
      </div>
      {destinations?.length === 0 && !adding && (
        <p className="mt-1 text-muted">
          Nowhere. A SIEM, a webhook or an object store can be brought every entry with its proof.
        </p>
      )}
      {adding && (
        <AddDestination
          onAdd={async (draft, more) => {
            if (await act(() => putDestination(workspace, '', draft, more))) setAdding(false);
          }}
        />
      )}
      {problem !== '' && (
        <p className="mt-2 text-bad" role="alert">
          {problem}
        </p>
      )}
      {secret !== '' && (
        <p className="mt-2" data-testid="signing-secret">
          Its signing secret, shown this once: <code className="break-all">{secret}</code>
        </p>
      )}
      <ul className="mt-2 space-y-2">
        {destinations?.map((one) => (
          <li key={one.id} className="rounded-md border border-border p-2" data-testid="trail-destination">
            <div className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{one.name}</span>
              <span className="text-xs text-muted">
                {KINDS[one.kind]}, {one.format}
              </span>
              <span className="ml-auto flex gap-1">
                <Button
                  onClick={() => void act(() => putDestination(workspace, one.id, { ...one, paused: !one.paused }))}
                >
                  {one.paused ? 'Go on' : 'Pause'}
                </Button>
                {one.problem !== '' && !one.paused && (
                  <Button onClick={() => void act(() => putDestination(workspace, one.id, one))}>Try now</Button>
                )}
                <Button look="ghost" onClick={() => void act(() => removeDestination(workspace, one.id))}>
                  Remove
                </Button>
              </span>
            </div>
            <code className="block truncate text-xs text-muted">{one.url}</code>
            <Standing destination={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Standing({ destination }: { destination: Destination }) {
  const {
    next_index: next,
    size,
    problem,
    failing_since: since,
    try_at: again,
    paused,
    delivered_at: at,
  } = destination;
  const behind = Math.max(0, size - next);
  return (
    <>
      <p className={problem === '' ? 'text-muted' : 'text-ask'}>
        {paused ? 'Paused. ' : ''}
        {behind === 0
          ? `It has all ${size} entries.`
          : `It does not have ${behind} of ${size} entries yet; it goes on from entry ${next}.`}
        {at !== '' && ` Last delivery ${new Date(at).toLocaleString()}.`}
      </p>
      {problem !== '' && (
        <p className="text-bad">
          Takes nothing since {new Date(since).toLocaleString()}: {problem}
          {again !== '' && !paused && ` Tried again ${new Date(again).toLocaleTimeString()}.`} Nothing is lost: it waits
          for its place.
        </p>
      )}
    </>
  );
}
