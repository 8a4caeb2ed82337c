/** A model server that answers each chat with the same words at a steady pace, in the OpenAI stream; with an address as its argument it is a bare proxy to that address instead. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const WORDS = Number(process.argv[3] ?? 100);
const EVERY_MS = Number(process.argv[4] ?? 4);
const target = process.argv[2] ?? '';

const chunk = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }], ...more })}\n\n`;
const word = chunk({ delta: { content: 'word ' } });
const last = `${chunk({ finish_reason: 'stop' })}${chunk({}, { choices: [], usage: { prompt_tokens: 10, completion_tokens: WORDS, total_tokens: WORDS + 10 } })}data: [DONE]\n\n`;

const http = createServer((incoming, response) => {
  if (target !== '') {
    const onward = request(`${target}${incoming.url ?? ''}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    incoming.pipe(onward);
    return;
  }
  incoming.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let said = 0;
    const timer = setInterval(() => {
      if (said < WORDS) return void (said += response.write(word) ? 1 : 1);
      clearInterval(timer);
      response.end(last);
    }, EVERY_MS);
    response.once('close', () => clearInterval(timer));
  });
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${(http.address() as AddressInfo).port}\n`));
process.stdin.resume().once('end', () => process.exit());
