import { expect, it } from 'vitest';
import { sentencesOf } from './create-request-intro-more.tsx';

it.each([
  ['One. Two! Three', ['One.', 'Two!', 'Three']],
  ['أقرّ بذلك. وأوافق عليه؟ نعم', ['أقرّ بذلك.', 'وأوافق عليه؟', 'نعم']],
  ['میں مانتا ہوں۔ ٹھیک ہے۔', ['میں مانتا ہوں۔', 'ٹھیک ہے۔']],
  ['no stop', ['no stop']],
  ['...', ['...']],
])('splits %s', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});
