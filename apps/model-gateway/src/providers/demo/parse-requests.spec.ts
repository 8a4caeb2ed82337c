import { parseRequests } from './parse-requests.ts';
import type { DemoRequest } from './request.ts';

const list = (directory?: string): DemoRequest => ({ kind: 'list', ...(directory !== undefined && { directory }) });
const read = (path: string): DemoRequest => ({ kind: 'read', path });
const write = (path: string, contents: string): DemoRequest => ({ kind: 'write', path, contents });
const run = (language: 'python' | 'node' | 'bash', code: string, files: string[] = []): DemoRequest => ({
  kind: 'run',
  language,
  code,
  files,
});

describe('plain requests', () => {
  it.each<[string, DemoRequest]>([
    ['list files', list()],
    ['List the files.', list()],
    ['list files in src', list('src')],
    ['list the files in the src folder', list('src')],
    ['List all files in the directory "my docs", please', list('my docs')],
    ['please list files in src/lib/', list('src/lib')],
    ['show me the files', list()],
    ['Can you show me all the files in here?', list()],
    ['what files are there?', list()],
    ['which files do we have in notes', list('notes')],
    ["what's in the workspace?", list()],
    ['What is in src?', list('src')],
    ['ls', list()],
    ['ls -la src', list('src')],
    ['list src', list('src')],
    ['show the contents of the src folder', list('src')],
    ['list everything', list()],
    ['@bravo list the files', list()],
    ['hey bravo, could you please list the files for me?', list()],
    ['show notes.txt', read('notes.txt')],
    ['Show me notes.txt.', read('notes.txt')],
    ['read the file notes.txt', read('notes.txt')],
    ['open src/main.ts', read('src/main.ts')],
    ['cat a.txt', read('a.txt')],
    ['what does notes.txt say?', read('notes.txt')],
    ["what's in notes.txt", read('notes.txt')],
    ['what is in the file notes.txt?', read('notes.txt')],
    ['show the contents of notes.txt', read('notes.txt')],
    ['display "my file.txt"', read('my file.txt')],
    ['read `a b.md`', read('a b.md')],
    ['show the README', read('README')],
    ['read notes', read('notes')],
    ['please open résumé.txt', read('résumé.txt')],
    ['show 日本語.txt', read('日本語.txt')],
    ['let me see notes.txt', read('notes.txt')],
    ['write a file notes.txt with hello world', write('notes.txt', 'hello world')],
    ['write hello to notes.txt', write('notes.txt', 'hello')],
    ['Write "hello, then goodbye" to notes.txt', write('notes.txt', 'hello, then goodbye')],
    ['create a file called a.txt containing some words', write('a.txt', 'some words')],
    ['create a new file named todo.md that says buy milk', write('todo.md', 'buy milk')],
    ['save "x = 1" as a.py', write('a.py', 'x = 1')],
    ['save the text hello in notes.txt', write('notes.txt', 'hello')],
    ['write to notes.txt: hello there', write('notes.txt', 'hello there')],
    ['write notes.txt: hello there', write('notes.txt', 'hello there')],
    ['create notes.txt with the text "hi"', write('notes.txt', 'hi')],
    ['create an empty file a.txt', write('a.txt', '')],
    ['make a file x/y.txt with this text:\nline 1\nline 2', write('x/y.txt', 'line 1\nline 2')],
    ['write a file a.py with\n```python\nprint("then list files")\n```', write('a.py', 'print("then list files")\n')],
    ['save this as a.py:\n```\nx = 1\ny = 2\n```', write('a.py', 'x = 1\ny = 2\n')],
    ['save ```print(1)``` as a.py', write('a.py', 'print(1)\n')],
    ['in notes.txt write hello', write('notes.txt', 'hello')],
    ['write I went to town to diary.txt', write('diary.txt', 'I went to town')],
    ['write hello then goodbye to a.txt', write('a.txt', 'hello then goodbye')],
    ['write héllo 🌍 to a.txt', write('a.txt', 'héllo 🌍')],
    ['put 1,2;3. and 4 into numbers.csv', write('numbers.csv', '1,2;3. and 4')],
    ['run this python: print(6*7)', run('python', 'print(6*7)')],
    ['Run this Python: print(6*7)', run('python', 'print(6*7)')],
    ['please run this python code: print(6*7)', run('python', 'print(6*7)')],
    [
      'run the following python script:\nfor i in range(3):\n    print(i)\n',
      run('python', 'for i in range(3):\n    print(i)'),
    ],
    ['run this python:\n    a = 1\n    print(a)', run('python', 'a = 1\nprint(a)')],
    ['run python print(6*7)', run('python', 'print(6*7)')],
    ['execute print(6*7) in python', run('python', 'print(6*7)')],
    ['run `ls -la` in bash', run('bash', 'ls -la')],
    ['run this bash: echo hi', run('bash', 'echo hi')],
    ['run this command: ls -la', run('bash', 'ls -la')],
    ['run this shell command: ls | wc -l', run('bash', 'ls | wc -l')],
    ['run this in node: console.log(1)', run('node', 'console.log(1)')],
    ['run this node.js code: console.log("a, b and c")', run('node', 'console.log("a, b and c")')],
    ['execute this javascript: 1 + 1', run('node', '1 + 1')],
    ['python: print(1)', run('python', 'print(1)')],
    ['in python, run print(1)', run('python', 'print(1)')],
    ['run this:\n```python\nprint(1)\n```', run('python', 'print(1)')],
    ['run this python:\n```\nprint(1)\n```', run('python', 'print(1)')],
    ['```bash\nif true; then list files; fi\n```', run('bash', 'if true; then list files; fi')],
    ['```js\nconsole.log(1)\n```', run('node', 'console.log(1)')],
    ['run this python: ```print(1)```', run('python', 'print(1)')],
    ['run this python:\n```python\nprint(1)', run('python', 'print(1)')],
    ['run this bash: if true; then ls; fi', run('bash', 'if true; then ls; fi')],
    ['run this bash:\nif test -f a.txt\nthen\n  cat a.txt\nfi', run('bash', 'if test -f a.txt\nthen\n  cat a.txt\nfi')],
    ['run this python: print("first then list files")', run('python', 'print("first then list files")')],
    ["run this python: print('wait then show a.txt')", run('python', "print('wait then show a.txt')")],
    [
      'run this python: x = """\nthen list files\n"""\nprint(x)',
      run('python', 'x = """\nthen list files\n"""\nprint(x)'),
    ],
    [
      'run this python with notes.txt: print(open("notes.txt").read())',
      run('python', 'print(open("notes.txt").read())', ['notes.txt']),
    ],
    ['run this python with the files a.txt and b.txt: pass', run('python', 'pass', ['a.txt', 'b.txt'])],
    ['help', { kind: 'help' }],
    ['What can you do?', { kind: 'help' }],
    ['???', { kind: 'help' }],
    ['who are you', { kind: 'help' }],
    ['Hello!', { kind: 'greeting' }],
    ['hi @bravo', { kind: 'greeting' }],
    ['thanks a lot!', { kind: 'thanks' }],
    ['', { kind: 'empty' }],
    ['   \n ', { kind: 'empty' }],
  ])('%j', (message, request) => {
    expect(parseRequests(message)).toEqual([request]);
  });
});

describe('several requests', () => {
  it.each<[string, DemoRequest[]]>([
    ['list files then show notes.txt', [list(), read('notes.txt')]],
    ['list the files and then show me notes.txt', [list(), read('notes.txt')]],
    ['list files, then show a.txt, then show b.txt', [list(), read('a.txt'), read('b.txt')]],
    ['List the files. Then read a.txt.', [list(), read('a.txt')]],
    ['List the files. Show a.txt.', [list(), read('a.txt')]],
    ['list files and show a.txt', [list(), read('a.txt')]],
    ['list files\nshow a.txt', [list(), read('a.txt')]],
    ['1. list files\n2. show a.txt', [list(), read('a.txt')]],
    ['show a.txt and b.txt', [read('a.txt'), read('b.txt')]],
    ['show a.txt, b.txt and c.txt', [read('a.txt'), read('b.txt'), read('c.txt')]],
    ['write hello to a.txt then show a.txt', [write('a.txt', 'hello'), read('a.txt')]],
    ['write a file a.txt with hello and then list files', [write('a.txt', 'hello'), list()]],
    ['write "hi" to a.txt, after that read it.txt', [write('a.txt', 'hi'), read('it.txt')]],
    ['run this python: print(6*7) then list the files', [run('python', 'print(6*7)'), list()]],
    ['run this python:\nprint(1)\nthen show a.txt', [run('python', 'print(1)'), read('a.txt')]],
    [
      'run this python:\n```\nprint(1)\n```\nthen run this bash:\n```\nls\n```',
      [run('python', 'print(1)'), run('bash', 'ls')],
    ],
    ['run these:\n```python\nprint(1)\n```\n```bash\nls\n```', [run('python', 'print(1)'), run('bash', 'ls')]],
    [
      'run this python:\n```\nprint(1)\n```\nand this bash:\n```\nls\n```',
      [run('python', 'print(1)'), run('bash', 'ls')],
    ],
    [
      'write a.txt with a poem then list files then run this bash: cat a.txt then show b.txt',
      [write('a.txt', 'a poem'), list(), run('bash', 'cat a.txt'), read('b.txt')],
    ],
    ['hello, list files', [list()]],
  ])('%j', (message, requests) => {
    expect(parseRequests(message)).toEqual(requests);
  });

  it('says what it does not know and keeps what it does', () => {
    expect(parseRequests('list files then juggle')).toMatchObject([
      { kind: 'list' },
      { kind: 'unknown', text: 'juggle' },
    ]);
    expect(parseRequests('juggle then list files')).toMatchObject([
      { kind: 'unknown', text: 'juggle' },
      { kind: 'list' },
    ]);
  });
});

describe('what it does not understand', () => {
  it.each<[string, RegExp | undefined]>([
    ['write a poem', /cannot make up/],
    ['write a python script that prints primes', /cannot make up/],
    ['write something', /how the file is called/],
    ['run', /no code/],
    ['run ls -la', /which language/],
    ['run this: print(1)', /which language/],
    ['run this ruby: puts 1', /nothing else/],
    ['```ruby\nputs 1\n```', /nothing else/],
    ['run this python:', /no code/],
    ['run script.py', /stands in the message/],
    ['delete notes.txt', /neither delete/],
    ['append hi to a.txt', /in place of another/],
    ['search for foo', /cannot search/],
    ['show https://example.com/a.txt', /cannot fetch/],
    ['what is 6*7?', /cannot calculate/],
    ['open the door', undefined],
    ['show me how to dance', undefined],
    ['translate this to German', undefined],
    ['write a letter to my mother', /how the file is called/],
    ['🎉', undefined],
    ['then', undefined],
  ])('%j', (message, hint) => {
    const [request, ...more] = parseRequests(message);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ kind: 'unknown' });
    const said = request?.kind === 'unknown' ? request.hint : '';
    if (hint) expect(said).toMatch(hint);
    else expect(said).toBeUndefined();
  });
});

describe('sizes', () => {
  it.each([
    ['spaces', ' '.repeat(200_000)],
    ['words', 'then and list the '.repeat(20_000)],
    ['one word', 'a'.repeat(500_000)],
    ['marks', '```'.repeat(50_000)],
    ['quotes', '"`\''.repeat(50_000)],
    ['lines', 'list files\n'.repeat(2_000)],
    ['code', `run this python: ${'print("then list files"), 1; '.repeat(10_000)}`],
    ['text', `write ${'to and then as in '.repeat(10_000)} to a.txt`],
  ])('stays quick with many %s', (_what, message) => {
    const before = performance.now();
    parseRequests(message);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
