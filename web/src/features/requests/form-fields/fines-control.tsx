import { useQuery } from '@tanstack/react-query';
import { useEffectEvent, useEffect, useState, type ReactNode } from 'react';
import { useController, type Control } from 'react-hook-form';
import { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FieldsetFrame, useFieldIds } from '#ui/forms/field-frame.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import type { Answers, FormField } from '@diwan/contract/forms/forms';
import { findFines } from '@diwan/contract/requests/request-costs';
import { useFormDocuments } from './form-documents.ts';
import type { AnswerValues } from './initial-values.ts';

interface FinesControlProps {
  field: FormField;
  control: Control<AnswerValues>;
  /** The valid answers of the form. */
  cleaned: Answers;
  isRequired: boolean;
  error: string | undefined;
}

type DueFine = Awaited<ReturnType<typeof send<typeof findFines>>>['fines'][number];

/** The answers that the fines are found by; undefined while one is missing. */
function keysOf({ findBy = [] }: FormField, cleaned: Answers): Answers | undefined {
  const keys = findBy.flatMap((name) => {
    const value = cleaned[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return keys.length < findBy.length ? undefined : Object.fromEntries(keys);
}

function useDueFines(field: FormField, keys: Answers | undefined, isAsked: boolean) {
  const { language } = useLanguage();
  const serviceId = useFormDocuments()?.serviceId;
  return useQuery<DueFine[], ApiError>({
    queryKey: [findFines.name, language, serviceId, field.name, keys],
    queryFn: async () => {
      const body = { serviceId: serviceId ?? 0, field: field.name, answers: keys ?? {} };
      return (await send(findFines, { body, skipErrorHandling: true })).fines;
    },
    enabled: isAsked && keys !== undefined && serviceId !== undefined,
    staleTime: 0,
    retry: false,
  });
}

/**
 * Finds the fines that a register names for the answers before, and asks which of them to pay, or says
 * that all are paid with the request. Nothing is looked up before the button is pressed, unless fines
 * were chosen already, or all are paid and the answers were given in an earlier step. A request that was
 * sent shows its fines.
 */
export function FinesControl(props: FinesControlProps) {
  return useFormDocuments()?.serviceId === undefined ? (
    <FixedFines {...props} />
  ) : (
    <FinesSearch {...props} />
  );
}

const chosenOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const focusIdsOf = ({ name }: FormField) => `${name} answers.${name}`;

function useFrame({ field, isRequired, error }: FinesControlProps) {
  const { language } = useLanguage();
  return {
    label: field.title[language],
    description: field.description?.[language],
    isOptional: !isRequired && field.payAll !== true,
    error,
  };
}

const fixedText = ({ payAll }: FormField, numbers: readonly string[]) =>
  payAll !== true ? 'fines.fixed' : numbers.length === 0 ? 'fines.none' : 'fines.fixedAll';

function FixedFines(props: FinesControlProps) {
  const { t } = useTranslation('forms');
  const { field: input } = useController({ name: props.field.name, control: props.control });
  const frame = useFrame(props);
  return (
    <div tabIndex={-1} data-focus-id={focusIdsOf(props.field)}>
      <FieldsetFrame {...frame} ids={useFieldIds(frame)}>
        <p className="text-ink-600">{t(fixedText(props.field, chosenOf(input.value)))}</p>
        {chosenOf(input.value).map((number) => (
          <Reference key={number}>{number}</Reference>
        ))}
      </FieldsetFrame>
    </div>
  );
}

/** The chosen numbers, and what the register says for the answers that it was asked with. */
function useFinesSearch({ field, control, cleaned }: FinesControlProps) {
  const { field: input } = useController({ name: field.name, control });
  const chosen = chosenOf(input.value);
  const keys = keysOf(field, cleaned);
  const key = JSON.stringify(keys);
  const [asked, setAsked] = useState(() =>
    chosen.length > 0 || field.payAll === true ? key : undefined,
  );
  const isAsked = keys !== undefined && asked === key;
  const { data, error: problem, isFetching, refetch } = useDueFines(field, keys, isAsked);
  const fines = isAsked ? data : undefined;
  const keepOnly = useEffectEvent((numbers: readonly string[]) => {
    const left = chosen.filter((number) => numbers.includes(number));
    if (left.length < chosen.length) input.onChange(left);
  });
  // What was paid meanwhile, or is in another request, cannot be chosen.
  useEffect(() => {
    if (fines && !isFetching)
      keepOnly(fines.flatMap(({ number, isInRequest }) => (isInRequest ? [] : [number])));
  }, [fines, isFetching]);
  // The chosen fines are those of another plate.
  const isOutdated = asked !== undefined && !isAsked;
  useEffect(() => {
    if (isOutdated) keepOnly([]);
  }, [isOutdated]);
  return {
    chosen,
    choose: (numbers: string[]) => input.onChange(numbers),
    canFind: keys !== undefined,
    isAsked,
    isFetching,
    fines,
    problem: isAsked && !isFetching ? problem : null,
    find: () => (isAsked ? void refetch() : setAsked(key)),
  };
}

function FinesSearch(props: FinesControlProps) {
  const { field } = props;
  const { t } = useTranslation('forms');
  const { chosen, choose, canFind, isAsked, isFetching, fines, problem, find } =
    useFinesSearch(props);
  const frame = useFrame(props);
  const ids = useFieldIds(frame);
  const hasFines = fines !== undefined && fines.length > 0;
  const isAll = field.payAll === true;
  return (
    <div className="flex flex-col items-start gap-4">
      {hasFines && isAll ? (
        <AllFines {...frame} fines={fines} focusIds={focusIdsOf(field)} />
      ) : hasFines ? (
        <FineChoices {...frame} name={field.name} fines={fines} chosen={chosen} onChange={choose} />
      ) : (
        <FieldsetFrame {...frame} ids={ids}>
          {canFind ? null : <p className="text-ink-600">{t('fines.answerFirst')}</p>}
        </FieldsetFrame>
      )}
      <div role="status">
        {fines && !hasFines && !isFetching ? (
          <Alert tone="success" title={t('fines.none')}>
            {t(isAll ? 'fines.noneToPay' : 'fines.noneText')}
          </Alert>
        ) : null}
      </div>
      {problem ? (
        <Alert tone="danger" isLive title={messageOf(problem)}>
          {t('fines.kept')}
        </Alert>
      ) : null}
      <Button
        data-focus-id={hasFines ? undefined : focusIdsOf(field)}
        variant="secondary"
        isDisabled={!canFind}
        isPending={isFetching}
        pendingLabel={t('fines.finding')}
        onPress={find}
      >
        {t(isAsked ? 'fines.findAgain' : isAll ? 'fines.check' : 'fines.find')}
      </Button>
    </div>
  );
}

interface FineChoicesProps {
  label: string;
  description: string | undefined;
  isOptional: boolean;
  error: string | undefined;
  name: string;
  fines: readonly DueFine[];
  chosen: readonly string[];
  onChange: (numbers: string[]) => void;
}

/** The fines with place, day and amount, a button for all of them, and the sum of the chosen ones. */
function FineChoices({ name, fines, chosen, onChange, ...frame }: FineChoicesProps) {
  const { t } = useTranslation('forms');
  const payable = fines.filter(({ isInRequest }) => !isInRequest);
  const isEvery = payable.length > 0 && payable.every(({ number }) => chosen.includes(number));
  const sum = fines
    .filter(({ number }) => chosen.includes(number))
    .reduce((total, { amount }) => total + amount, 0);
  const inRequest = fines.filter(({ isInRequest }) => isInRequest);
  return (
    <div className="flex w-full flex-col gap-4">
      <CheckboxGroup
        {...frame}
        name={name}
        focusIds={[`answers.${name}`]}
        value={chosen}
        onChange={onChange}
        choices={payable.map((fine) => ({
          value: fine.number,
          label: fine.place,
          hint: <FineHint fine={fine} />,
        }))}
      />
      {payable.length > 1 ? (
        <Button
          variant="quiet"
          size="sm"
          onPress={() => onChange(isEvery ? [] : payable.map(({ number }) => number))}
        >
          {t(isEvery ? 'fines.chooseNone' : 'fines.chooseAll')}
        </Button>
      ) : null}
      {inRequest.length > 0 ? (
        <Alert title={t('fines.inRequest')}>
          <FineList fines={inRequest} />
        </Alert>
      ) : null}
      <p role="status" className="font-semibold">
        {t('fines.sum')} <Money fils={sum} />
      </p>
    </div>
  );
}

/** What is due, all of which is paid with the request. */
function AllFines({
  fines,
  focusIds,
  ...frame
}: Pick<FineChoicesProps, 'label' | 'description' | 'isOptional' | 'error' | 'fines'> & {
  focusIds: string;
}) {
  const { t } = useTranslation('forms');
  const inRequest = fines.filter(({ isInRequest }) => isInRequest);
  return (
    <div tabIndex={-1} data-focus-id={focusIds} className="w-full">
      <FieldsetFrame {...frame} ids={useFieldIds(frame)}>
        <FineList fines={fines.filter(({ isInRequest }) => !isInRequest)} />
        {inRequest.length > 0 ? (
          <Alert tone="warning" title={t('fines.inRequest')}>
            <FineList fines={inRequest} />
            {t('fines.inRequestText')}
          </Alert>
        ) : null}
        <p role="status" className="font-semibold">
          {t('fines.sumDue')} <Money fils={fines.reduce((sum, { amount }) => sum + amount, 0)} />
        </p>
      </FieldsetFrame>
    </div>
  );
}

const FineList = ({ fines }: { fines: readonly DueFine[] }) => (
  <ul className="flex flex-col gap-1">
    {fines.map((fine) => (
      <li key={fine.number}>
        <span>{fine.place}</span> <FineHint fine={fine} />
      </li>
    ))}
  </ul>
);

const FineHint = ({ fine }: { fine: DueFine }): ReactNode => (
  <span className="flex flex-wrap gap-x-4">
    <span className="font-semibold text-ink-900">
      <Money fils={fine.amount} />
    </span>
    <Moment at={fine.on} as="date" />
    <Reference>{fine.number}</Reference>
  </span>
);
