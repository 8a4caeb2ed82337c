/** Asks the person at the keyboard; silence, end of input and anything unclear can only mean no. */
import { createInterface } from 'node:readline';

export type Answer = 'read' | 'approve' | 'deny' | 'nobody';

export const parseAnswer = (line: string): Answer | undefined => {
  switch (line.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return 'read';
    case 'p':
      return 'approve';
    case 'n':
    case 'no':
      return 'deny';
    default:
      return undefined;
  }
};

/** On a terminal an unclear line is asked again; elsewhere one line is read and an unclear one is a no. */
export const askPerson = (question: string): Promise<Answer> => {
  const input = process.stdin;
  const lines = createInterface({ input, output: process.stdout, terminal: false });
  process.stdout.write(question);
  return new Promise((resolve) => {
    const end = (answer: Answer): void => {
      lines.removeAllListeners();
      lines.close();
      input.pause();
      // On a terminal the person's own Enter ended the line.
      if (!input.isTTY) process.stdout.write('\n');
      resolve(answer);
    };
    lines.on('line', (line) => {
      const answer = parseAnswer(line);
      if (answer !== undefined) end(answer);
      else if (input.isTTY) process.stdout.write(question);
      else end('deny');
    });
    lines.on('close', () => end('nobody'));
  });
};
