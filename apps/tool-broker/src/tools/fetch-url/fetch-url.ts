/**
 * Fetches the one approved URL. Guarantees that each hop is judged before it is made, that a redirect neither leaves the approved
 * host without a rule nor drops TLS, and that no word of a server is in what the agent is told.
 */
import { classifyHost, hostOfUrl, LIMITS } from '@bravo/policy';
import { FetchFailed, type Hop } from '../../pages/fetch-hop.ts';
import { type EffectTools, type Execute, failed } from '../effect.ts';
import { isText, plural } from '../text.ts';

const MAX_BYTES = LIMITS['fetch-body'].value;
const MAX_REDIRECTS = LIMITS['fetch-redirects'].value;
/** Of a server that says it may go better in a moment. */
const WORTH_ANOTHER = [408, 429, 500, 502, 503, 504];
const PAUSES_MS = [500, 1_500];
const LONGEST_PAUSE_MS = 10_000;

type Tools = Pick<EffectTools, 'fetchHop' | 'judgeHop' | 'pause'>;

export const fetchUrl: Execute = async ({ toolCallId, call, who, recovered }, tools, signal) => {
  const asked = call.arguments['url'] as string;
  // Somebody out there may have been asked already; a question to a host is not put again unseen.
  if (recovered)
    return {
      status: 'outcome_unknown',
      summary: [`It is not known whether ${asked} was fetched, and it is not fetched again by itself.`],
      outputs: [],
      errorCode: 'outcome_unknown',
    };
  try {
    const { content, truncated, hops } = await follow(new URL(asked), { toolCallId, who, tools, signal });
    return {
      status: 'completed',
      summary: [
        `Fetched ${asked}: ${plural(content.length, 'byte')}.`,
        ...(hops > 0 ? [`It took ${plural(hops, 'redirect')}.`] : []),
        ...(truncated ? [`The page is longer; only its first ${MAX_BYTES} bytes were taken.`] : []),
        ...(content.length === 0 ? ['It is empty.'] : []),
      ],
      outputs: [
        {
          origin: `page of ${hostOfUrl(asked) ?? 'a host'}`,
          name: asked,
          kind: isText(content) ? 'text' : 'binary',
          content,
          paths: [],
        },
      ],
    };
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return failed(error.code, `${asked} was not fetched. ${error.message}`);
  }
};

interface Following {
  readonly toolCallId: string;
  readonly who: Parameters<EffectTools['fetchHop']>[0]['who'];
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

const follow = async (first: URL, following: Following) => {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    await mayGo(first, url, following);
    const hop = await fetchPatiently(url, following);
    if (hop.kind === 'page') return { ...hop, hops };
    if (hop.kind === 'status')
      throw new FetchFailed('fetch_status', `The server answered with status ${hop.status}, so nothing was taken.`);
    if (hops === MAX_REDIRECTS)
      throw new FetchFailed('fetch_redirects', `It redirects more than ${MAX_REDIRECTS} times.`);
    url = nextUrl(hop.location, url);
  }
};

/** What follows from the text of a redirect alone. @throws FetchFailed */
const nextUrl = (location: string | undefined, from: URL): URL => {
  const next = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (next === undefined || (next.protocol !== 'http:' && next.protocol !== 'https:'))
    throw new FetchFailed('fetch_redirect_unreadable', 'It redirects to something that is no http or https URL.');
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new FetchFailed('fetch_downgrade', 'It redirects from https to http, which is not followed.');
  next.hash = '';
  return next;
};

/** @throws FetchFailed naming the host that was approved, never the one a server chose. */
const mayGo = async (first: URL, url: URL, { who, tools }: Following): Promise<void> => {
  const verdict = await tools.judgeHop(who.conversationId, url.href);
  if (verdict === 'deny')
    throw new FetchFailed(
      'fetch_denied',
      url === first
        ? 'A rule denies this host.'
        : `It redirects away from ${first.hostname} to where a rule denies fetching.`,
    );
  if (url === first) return;
  if (classifyHost(url.hostname).kind !== 'name')
    throw new FetchFailed(
      'fetch_redirect_address',
      `It redirects away from ${first.hostname} to an address without a name.`,
    );
  if (isSameHost(first, url) || verdict === 'allow') return;
  throw new FetchFailed(
    'fetch_redirect_left',
    `It redirects away from ${first.hostname}, the host that was approved, and no rule allows where it leads.`,
  );
};

/** The usual ports of a host are one place; any other port than the one that was shown is another. */
const isSameHost = (first: URL, url: URL): boolean =>
  hostOfUrl(first.href) === hostOfUrl(url.href) && (url.port === '' || url.port === first.port);

const fetchPatiently = async (url: URL, { toolCallId, who, tools, signal }: Following): Promise<Hop> => {
  for (let attempt = 0; ; attempt += 1) {
    const hop = await tools.fetchHop({ url, who, toolCallId, maxBytes: MAX_BYTES }, signal);
    const pauseMs = PAUSES_MS[attempt];
    if (hop.kind !== 'status' || !WORTH_ANOTHER.includes(hop.status) || pauseMs === undefined) return hop;
    const waitMs = hop.retryAfterMs ?? pauseMs;
    if (waitMs > LONGEST_PAUSE_MS) return hop;
    await tools.pause(Math.max(waitMs, pauseMs), signal);
  }
};
