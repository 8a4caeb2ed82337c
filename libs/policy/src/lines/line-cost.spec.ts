import { compileLine } from './compile-line.ts';

describe('a hostile line', () => {
  const long = 60_000;
  it.each([
    ['brackets that open no class', '['.repeat(long)],
    ['braces that never close', `{${'a,{'.repeat(40)}`],
    ['braces side by side', `echo ${'{}'.repeat(long / 2)}`],
    ['groups side by side', `echo ${'{a,b}'.repeat(long / 5)}`],
    ['stars in one word', `echo ${'*a'.repeat(long / 2)}`],
    ['double stars in one word', `echo ${'**/'.repeat(long / 3)}`],
    ['deep braces', '{'.repeat(long)],
    ['many patterns', `echo ${'* '.repeat(long / 2)}`],
    ['a range without end', 'echo {1..999999999999999}'],
    ['a line too long', 'a'.repeat(100_000)],
    ['many signs', ';'.repeat(long)],
  ])('costs no more than its length: %s', (_name, text) => {
    const files = Array.from({ length: 2000 }, (_, at) => `d${at % 40}/${'a'.repeat(at % 60)}${at}`);
    const started = performance.now();
    compileLine(text, { isProgram: () => true, home: '/home/me', files });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
