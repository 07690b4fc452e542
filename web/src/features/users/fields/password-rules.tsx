import { Circle, CircleCheck } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { specialCharacters, type PasswordError } from '@diwan/contract/people/password';

/** One line of text for one or two rules of the specification. */
const lines: readonly { name: string; rules: readonly PasswordError[] }[] = [
  { name: 'length', rules: ['PasswordMinLengthIs12', 'PasswordMaxLengthIs50'] },
  { name: 'lowercase', rules: ['OneLowercaseCharacterIsRequired'] },
  { name: 'uppercase', rules: ['OneUppercaseCharacterIsRequired'] },
  { name: 'number', rules: ['OneNumberIsRequired'] },
  { name: 'special', rules: ['OneSpecialCharacterIsRequired'] },
  { name: 'noSpaces', rules: ['PasswordCannotContainSpaces'] },
  { name: 'different', rules: ['NewPasswordMustBeDifferentFromTheOldPassword'] },
];

/**
 * The password rules with a tick for each one met. `isFirst`: there is no old password to differ
 * from.
 */
export function PasswordRules({
  password,
  problems,
  isFirst,
}: {
  password: string;
  problems: readonly PasswordError[];
  isFirst?: boolean;
}) {
  const { t } = useTranslation('users');
  return (
    <ul className="mt-1 grid gap-x-6 sm:grid-cols-2">
      {lines
        .filter(({ name }) => !isFirst || name !== 'different')
        .map(({ name, rules }) => {
          const isMet = password.trim() !== '' && !rules.some((rule) => problems.includes(rule));
          const Mark = isMet ? CircleCheck : Circle;
          return (
            <li
              key={name}
              data-met={isMet}
              className={`flex items-start gap-2 ${isMet ? 'text-green-700' : 'text-ink-600'}`}
            >
              <Mark aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0" />
              <span>
                <span>{t(`password.rules.${name}`, { characters: specialCharacters })}</span>
                {isMet ? <span className="sr-only"> {t('password.met')}</span> : null}
              </span>
            </li>
          );
        })}
    </ul>
  );
}
