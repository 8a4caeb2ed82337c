/** Manifest of `fetch_url`: asks one address outside for one page; what comes back is never shown to the agent, however a person answers. */
import { LIMITS, UNTRUSTED_PUBLIC } from '@bravo/policy';
import { type ToolDefinition, WHY } from './tool-definition.ts';

export const fetchUrlTool: ToolDefinition = {
  manifest: {
    name: 'fetch_url',
    title: 'Fetch a page',
    description:
      'Fetches one http or https URL (GET). A person is asked about every fetch unless a rule names the host. ' +
      'What comes back is a reference such as ref:4, which you can pass on but not read. Redirects stay on the host that was approved.',
    origin: 'first_party',
    arguments: {
      url: { class: 'routing', reaches: 'url' },
      why: { class: 'content' },
    },
    family: 'WebFetch',
    permission: 'view_content',
    effect: 'read',
    external: true,
    confined: false,
    runsCode: false,
    starts: 'nothing',
    defaultGate: 'every_time',
    // A page is nobody's private data, and a yes to a host says nothing about what it answers.
    resultLabel: { kind: 'fixed', label: UNTRUSTED_PUBLIC },
    modes: ['ask', 'coworker', 'voice'],
    // The whole reply of the last hop, and what looking up and connecting may take.
    limits: { timeoutSeconds: LIMITS['net-reply'].value + 60, maxResultChars: 4_000 },
  },
  inputSchema: {
    type: 'object',
    properties: {
      url: {
        type: 'string',
        minLength: 1,
        maxLength: 4096,
        pattern: '^[^\\u0000-\\u0020\\u007f]+$',
        description: 'The one URL to fetch, for example https://example.com/page. The host is named, not an address.',
      },
      why: WHY,
    },
    required: ['url'],
    additionalProperties: false,
  },
  example: { url: 'https://example.com/page' },
};
