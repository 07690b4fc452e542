import { useState } from 'react';
import { hasRole, useMayCall, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { useAgencyChoices, useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllPartners } from '@diwan/contract/people/partners';
import {
  agencyReaches,
  getAllUsers,
  lastSignIns,
  userOrders,
  userStates,
  type UserSummary,
} from '@diwan/contract/staff/user-administration';
import { roles } from '@diwan/contract/wire/call';
import { useAgenciesText } from './agencies-choice.tsx';

const any = '-';
const filterNames = [
  'role',
  'state',
  'partner',
  'company',
  'agency',
  'secondFactor',
  'lastSignIn',
  'order',
] as const;
type UserFilters = SearchFilters<(typeof filterNames)[number]>;

// The address may hold anything.
const oneOf = <Value extends string>(values: readonly Value[], given: string) =>
  values.find((value) => value === given);
const idOf = (given: string) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined);

function readFilters({ values, keyword, page }: UserFilters) {
  return {
    SearchKeyword: keyword || undefined,
    Role: oneOf(roles, values.role),
    State: oneOf(userStates, values.state),
    PartnerId: idOf(values.partner),
    CompanyId: idOf(values.company),
    AgencyId: idOf(values.agency),
    Agencies: oneOf(agencyReaches, values.agency),
    SecondFactor: oneOf(['set', 'notSet'] as const, values.secondFactor),
    LastSignIn: oneOf(lastSignIns, values.lastSignIn),
    Order: oneOf(userOrders, values.order),
    PageNumber: page,
    Take: adminPageSize,
  };
}

function useColumns(filters: UserFilters): Column<UserSummary>[] {
  const { t } = useTranslation(['dashboards', 'shell', 'people']);
  const order = readFilters(filters).Order;
  const agenciesOf = useAgenciesText();
  const belongs: Column<UserSummary> = {
    key: 'belongs',
    header: t('users.belongs'),
    cell: (user) =>
      user.company?.name ??
      user.partner?.name ??
      agenciesOf(user) ?? <span className="text-ink-500">{t('none')}</span>,
  };
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'name',
      header: t('users.name'),
      isPrimary: true,
      sort: {
        order: order === 'name' ? 'ascending' : undefined,
        onChange: () => filters.change({ order: order === 'name' ? '' : 'name' }),
      },
      cell: (user) => (
        <>
          <Link to={`/dashboard/users/${user.id}`} className="row-link block">
            <bdi>{user.fullName}</bdi>
          </Link>
          <span className="block font-normal text-ink-500">
            {/* A user without a password did not choose the username. */}
            {user.hasPassword ? (
              <Reference isName>{user.username}</Reference>
            ) : (
              t('user.uaePass', { ns: 'people' })
            )}
          </span>
          {user.isSuspended ? <StatusTag tone="refused">{t('users.suspended')}</StatusTag> : null}
        </>
      ),
    },
    {
      key: 'roles',
      header: t('users.roles'),
      cell: (user) =>
        user.roles
          .map((role) => t(`roles.${role}`, { ns: 'shell' }))
          .join(t('listSeparator', { ns: 'shell' })),
    },
    ...(isOfOneAgency ? [] : [belongs]),
    {
      key: 'email',
      header: t('users.email'),
      cell: (user) => (
        <span className="inline-block lg:min-w-48">
          <EmailAddress>{user.email}</EmailAddress>
        </span>
      ),
    },
    {
      key: 'phone',
      header: t('users.phone'),
      cell: (user) => <Reference>{user.phoneNumber}</Reference>,
    },
    {
      key: 'lastSignIn',
      header: t('users.lastSignIn'),
      sort: {
        order:
          order === 'lastSignIn'
            ? 'descending'
            : order === 'longestAbsent'
              ? 'ascending'
              : undefined,
        onChange: () =>
          filters.change({ order: order === 'lastSignIn' ? 'longestAbsent' : 'lastSignIn' }),
      },
      cell: (user) =>
        user.lastSignInAt ? (
          <Moment at={user.lastSignInAt} as="relative" />
        ) : (
          <span className="text-ink-500">{t('users.never')}</span>
        ),
    },
    {
      key: 'secondFactor',
      header: t('list.secondFactor', { ns: 'people' }),
      cell: (user) => (
        <span className={user.hasSecondFactor ? undefined : 'text-ink-500'}>
          {t(user.hasSecondFactor ? 'list.set' : 'list.notSet', { ns: 'people' })}
        </span>
      ),
    },
  ];
}

/** A filter by one of many things, found by typing. */
function ComboFilter({
  filters,
  name,
  ...field
}: {
  filters: UserFilters;
  name: 'agency' | 'partner';
  label: string;
  placeholder: string;
  choices: readonly Choice[];
  onSearch?: (typed: string) => void;
}) {
  const value = filters.values[name];
  return (
    <ComboField
      key={value}
      {...field}
      isOptional
      value={value}
      onChange={(chosen) => filters.change({ [name]: chosen })}
    />
  );
}

/** The service providers by what is typed, with the chosen one. */
function PartnerFilter({ filters }: { filters: UserFilters }) {
  const { t } = useTranslation('people');
  const [typed, setTyped] = useState('');
  const { data } = useCall(getAllPartners, {
    query: { SearchKeyword: typed || undefined, Take: 100 },
    keepPrevious: true,
  });
  return (
    <ComboFilter
      filters={filters}
      name="partner"
      label={t('list.partner')}
      placeholder={t('list.anyPartner')}
      onSearch={setTyped}
      choices={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}

/**
 * The agencies whose requests staff see; or all of them, or none. An agency administrator sees only staff
 * of some agencies.
 */
function AgencyFilter({ filters }: { filters: UserFilters }) {
  const { t } = useTranslation('people');
  const agencies = useAgencyChoices(getManagedAgencies);
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const reaches = agencyReaches.map((value) => ({ value, label: t(`agencies.${value}`) }));
  const choices = [...(isOfAgency ? [] : reaches), ...agencies];
  if (choices.length === 0) return null;
  return (
    <ComboFilter
      filters={filters}
      name="agency"
      label={t('list.agency')}
      placeholder={t('list.anyAgency')}
      choices={choices}
    />
  );
}

/** The filters that fewer searches need, and the order, which a phone has no column heads for. */
function MoreFilters({ filters }: { filters: UserFilters }) {
  const { t } = useTranslation('people');
  const { state, secondFactor, lastSignIn, order, company } = filters.values;
  const { State, SecondFactor, LastSignIn, PartnerId, AgencyId, Agencies } = readFilters(filters);
  const [isOpen, setIsOpen] = useState(
    [State, SecondFactor, LastSignIn, PartnerId, AgencyId, Agencies].some(
      (each) => each !== undefined,
    ),
  );
  const hasPartners = useMayCall(getAllPartners);
  const choose = (name: string) => (value: string) =>
    filters.change({ [name]: value === any ? '' : value });
  const first = (label: string) => ({ value: any, label });
  return (
    <div className="basis-full">
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="min-h-11 w-fit py-2 font-medium">{t('list.moreFilters')}</summary>
        <div className="grid gap-4 pt-2 sm:grid-cols-2 lg:grid-cols-3">
          <SelectField
            label={t('list.state')}
            value={oneOf(userStates, state) ?? any}
            onChange={choose('state')}
            choices={[
              first(t('list.anyState')),
              ...userStates.map((value) => ({ value, label: t(`list.${value}`) })),
            ]}
          />
          <SelectField
            label={t('list.secondFactor')}
            value={oneOf(['set', 'notSet'], secondFactor) ?? any}
            onChange={choose('secondFactor')}
            choices={[
              first(t('list.anySecondFactor')),
              ...(['set', 'notSet'] as const).map((value) => ({
                value,
                label: t(`list.${value}`),
              })),
            ]}
          />
          <SelectField
            label={t('list.lastSignIn')}
            value={oneOf(lastSignIns, lastSignIn) ?? any}
            onChange={choose('lastSignIn')}
            choices={[
              first(t('list.anyLastSignIn')),
              ...lastSignIns.map((value) => ({ value, label: t(`list.${value}`) })),
            ]}
          />
          {isOpen ? <AgencyFilter filters={filters} /> : null}
          {isOpen && hasPartners ? <PartnerFilter filters={filters} /> : null}
          <SelectField
            label={t('list.order')}
            value={oneOf(userOrders, order) ?? 'newest'}
            onChange={(value) => filters.change({ order: value === 'newest' ? '' : value })}
            choices={userOrders.map((value) => ({ value, label: t(`list.orders.${value}`) }))}
          />
        </div>
      </details>
      {company ? (
        <Button variant="secondary" size="sm" onPress={() => filters.change({ company: '' })}>
          {t('list.removeCompany')}
        </Button>
      ) : null}
    </div>
  );
}

/** All user accounts. */
export function UsersPage() {
  const { t } = useTranslation(['dashboards', 'shell', 'people']);
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const filters = useSearchFilters(...filterNames);
  const list = useCall(getAllUsers, { query: readFilters(filters), keepPrevious: true });
  const columns = useColumns(filters);
  const filter = {
    name: 'role' as const,
    label: t('users.role'),
    any: t('users.anyRole'),
    choices: roles.map((role) => ({ value: role, label: t(`roles.${role}`, { ns: 'shell' }) })),
  };
  return (
    <AdminList
      title={t('users.title')}
      lead={t(isOfAgency ? 'users.agencyLead' : 'users.lead')}
      placeholder={t('users.search')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(user) => user.id}
      more={<MoreFilters filters={filters} />}
      action={
        <LinkButton to="/dashboard/staff" variant="secondary">
          {t('staff.open', { ns: 'people' })}
        </LinkButton>
      }
    />
  );
}
