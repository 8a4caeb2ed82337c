/** Messages no honest client sends, by name. Not one of them may be taken for a call that is allowed. */

const call = (args: string, name = '"list_files"'): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${args}}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const bytes = (...parts: (string | number[])[]): Uint8Array => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

export const WIRE_MESSAGES: readonly (readonly [what: string, body: string | Uint8Array, headers?: Record<string, string>])[] = [
  ['nothing', ''],
  ['half a message', '{"jsonrpc":"2.0","id":1,'],
  ['a number', '1'],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['a name given twice', call('{"directory":"a","directory":"b"}')],
  ['a name given twice, one escaped', call('{"directory":"a","d\\u0069rectory":"b"}')],
  ['the method given twice', '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"list_files","arguments":{}}}'],
  ['__proto__ as an argument', call('{"__proto__":{"directory":"a"}}')],
  ['__proto__ escaped', call('{"\\u005f_proto__":{"directory":"a"}}')],
  ['constructor.prototype as an argument', call('{"constructor":{"prototype":{"approved":true}}}')],
  ['__proto__ as the tool', call('{}', '"__proto__"')],
  ['constructor as the tool', call('{}', '"constructor"')],
  ['arguments as a list', call('[]')],
  ['arguments as a text', call('"{}"')],
  ['40 levels', call(`{"directory":${nested(40)}}`)],
  ['100,000 levels', nested(100_000)],
  ['a tool name of 100,000 characters', call('{}', JSON.stringify('x'.repeat(100_000)))],
  ['half a surrogate pair in the tool name', call('{}', '"x\\ud800"')],
  ['half a surrogate pair in a path', call('{"directory":"\\ud800"}')],
  ['NUL in a path', call('{"directory":"a\\u0000b"}')],
  ['a number beyond every number', call('{"path":"a","limit":1e400}', '"read_file"')],
  ['a number as a text', call('{"path":"a","limit":"1"}', '"read_file"')],
  ['5 MB', call(JSON.stringify({ path: 'x', contents: 'x'.repeat(5_000_000) }), '"write_file"')],
  ['bytes that are no UTF-8', bytes('{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"', [0xff, 0xfe], '"}')],
  ['another media type', call('{"directory":"a","directory":"b"}'), { 'content-type': 'text/plain' }],
  ['a form', 'method=tools%2Fcall', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a media type that only ends in json', call('{"directory":"a","directory":"b"}'), { 'content-type': 'application/vnd.x+json' }],
  ['from a page of another origin', call('{}'), { origin: 'http://evil.example' }],
  ['from no origin', call('{}'), { origin: 'null' }],
];
