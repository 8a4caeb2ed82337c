/** The form for a new destination of the trail: what is asked depends on what kind it is. It keeps nothing of what was typed once it was taken. */
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import type { DestinationDraft } from './destinations.client.ts';

type Kind = DestinationDraft['kind'];
export type More = { secret?: Record<string, string>; from: 'now' | 'beginning' };

const ADDRESSES: Record<Kind, string> = {
  webhook: 'https://siem.example.com/bravo',
  syslog: 'tls://siem.example.com:6514',
  s3: 'https://s3.eu-central-1.amazonaws.com/bucket/trail',
};
const LOOK = 'mt-0.5 w-full rounded-md border border-border-strong bg-background px-2 py-1 text-sm text-foreground';

export function AddDestination({ onAdd }: { onAdd: (draft: DestinationDraft, more: More) => Promise<void> }) {
  const [kind, setKind] = useState<Kind>('webhook');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const said = (name: string): string => String(form.get(name) ?? '').trim();
    const names =
      kind === 's3'
        ? ['access_key_id', 'secret_access_key']
        : kind === 'syslog'
          ? ['certificate', 'key']
          : ['signing_secret'];
    const filled = names.map((name) => [name, said(name)] as const).filter(([, value]) => value !== '');
    void onAdd(
      {
        ...{ name: said('name'), kind, url: said('url'), format: said('format'), region: said('region') },
        ...{ every_seconds: Number(said('every_seconds')), certificates: said('certificates'), paused: false },
      },
      {
        from: said('from') === 'beginning' ? 'beginning' : 'now',
        ...(filled.length === 0 ? {} : { secret: Object.fromEntries(filled) }),
      },
    );
  };
  const text = (name: string, label: string, more: { hint?: string; secret?: boolean; optional?: boolean } = {}) => (
    <label className="text-xs text-muted">
      {label}
      <input
        name={name}
        required={!more.optional}
        placeholder={more.hint}
        type={more.secret ? 'password' : 'text'}
        autoComplete="off"
        className={LOOK}
      />
    </label>
  );
  const area = (name: string, label: string) => (
    <label className="col-span-full text-xs text-muted">
      {label}
      <textarea name={name} rows={2} className={`${LOOK} font-mono`} />
    </label>
  );
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <label className="text-xs text-muted">
      {label}
      <select name={name} className={LOOK}>
        {options.map(([value, told]) => (
          <option key={value} value={value}>
            {told}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form onSubmit={submit} className="mt-2 grid grid-cols-2 gap-2" data-testid="add-destination">
      {text('name', 'Name', { hint: 'SIEM' })}
      <label className="text-xs text-muted">
        Kind
        <select name="kind" className={LOOK} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          <option value="webhook">Webhook (HTTPS, signed)</option>
          <option value="syslog">Syslog over TLS</option>
          <option value="s3">Object store (S3)</option>
        </select>
      </label>
      <div className="col-span-full">{text('url', 'Address', { hint: ADDRESSES[kind] })}</div>
      {choice('format', 'Format', [
        ['jsonl', 'JSONL'],
        ['cloudevents', 'CloudEvents'],
        ['ocsf', 'OCSF'],
        ['cef', 'CEF'],
      ])}
      {choice('from', 'Begin', [
        ['now', 'with what comes from now on'],
        ['beginning', 'with the first entry'],
      ])}
      <label className="text-xs text-muted">
        Seconds between deliveries
        <input
          name="every_seconds"
          type="number"
          min={1}
          max={86_400}
          defaultValue={kind === 's3' ? 300 : 10}
          key={kind}
          className={LOOK}
        />
      </label>
      {kind === 's3' && text('region', 'Region', { hint: 'eu-central-1' })}
      {kind === 's3' && text('access_key_id', 'Access key id')}
      {kind === 's3' && text('secret_access_key', 'Secret access key', { secret: true })}
      {kind === 'webhook' &&
        text('signing_secret', 'Signing secret (one is made where this is empty)', { secret: true, optional: true })}
      {kind === 'syslog' && area('certificate', 'Our certificate, where the receiver asks for one (PEM)')}
      {kind === 'syslog' && area('key', 'Its key (PEM)')}
      {area('certificates', 'Authorities to trust besides the usual ones (PEM)')}
      <Button type="submit" look="primary" className="justify-self-start">
        Deliver
      </Button>
    </form>
  );
}
