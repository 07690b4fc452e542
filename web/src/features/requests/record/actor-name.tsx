import { useTranslation } from '#lib/i18n/translate.ts';
import type { ActedFor } from '@diwan/contract/people/acting';
import type { HistoryEntry } from '@diwan/contract/requests/requests';

// A name may have another direction than the sentence around it.
const isolated = (name: string) => `\u2068${name}\u2069`;

/**
 * The name of a user, with the person for whom they acted: “A for B”. It is a text in the language
 * of the page. Do not put it into a `bdi`, which takes its direction from the first name.
 */
export function useActorName(): (actor: {
  kind: HistoryEntry['actorKind'];
  name: string;
  actedFor?: ActedFor | undefined;
}) => string {
  const { t } = useTranslation('requests');
  return ({ kind, name, actedFor }) => {
    const isYou = kind === 'you';
    if (!actedFor) return isYou || name === '' ? t(`actors.${kind}`) : name;
    if (isYou) return t('actors.youFor', { name: isolated(actedFor.name) });
    const actor =
      name === ''
        ? t(`actors.${kind}`)
        : actedFor.by === 'counter'
          ? t('actors.employeeName', { name: isolated(name) })
          : isolated(name);
    return actedFor.isYou
      ? t('actors.forYou', { actor })
      : t('actors.actedFor', { actor, name: isolated(actedFor.name) });
  };
}
