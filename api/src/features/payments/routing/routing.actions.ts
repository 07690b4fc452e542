import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import type {
  PaymentProviderName,
  PaymentRouting,
  savePaymentProvider,
  savePaymentRule,
} from '@diwan/contract/payments/providers';
import { type PaymentMethod, paymentMethods } from '@diwan/contract/requests/payments';
import type { BodyOf } from '@diwan/contract/wire/call';
import * as store from './routing.store.ts';

interface RoutingContext {
  database: Database;
  providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
}

/** The providers that are switched on and have settings, in their order. */
async function findUsable({
  database,
  providers,
}: RoutingContext): Promise<{ name: PaymentProviderName; methods: readonly PaymentMethod[] }[]> {
  const rows = await store.selectProviders(database);
  return rows.flatMap(({ name, is_enabled: isEnabled }) => {
    const provider = providers.get(name);
    return isEnabled && provider ? [{ name, methods: provider.methods }] : [];
  });
}

/**
 * The methods of payment between which a person chooses. Without a rule by method the page of the
 * provider decides what it offers.
 */
export async function offerMethods(context: RoutingContext): Promise<PaymentMethod[]> {
  if (!(await store.hasRuleByMethod(context.database))) return [];
  const usable = await findUsable(context);
  const offered = paymentMethods.filter((method) =>
    usable.some(({ methods }) => methods.includes(method)),
  );
  return offered.length > 1 ? offered : [];
}

/**
 * The providers to try for a payment, in order: those of the first rule that matches, then the
 * others. Only those that can be used and offer the method.
 */
export async function chooseProviders(
  context: RoutingContext,
  payment: store.RoutedPayment,
): Promise<PaymentProviderName[]> {
  const rule = await store.findRule(context.database, payment);
  const usable = (await findUsable(context))
    // guard: provider without the method of a payment (payment-safety)
    .filter(({ methods }) => methods.includes(payment.method))
    .map(({ name }) => name);
  const named = [rule?.provider, rule?.fallback].filter((name) => typeof name === 'string');
  return [...new Set([...named.filter((name) => usable.includes(name)), ...usable])];
}

const toRule = (row: store.RuleRow): PaymentRouting['rules'][number] => ({
  id: row.id,
  provider: row.provider,
  version: row.version,
  ...(row.agency_id === null ? {} : { agencyId: row.agency_id }),
  ...(row.service_id === null ? {} : { serviceId: row.service_id }),
  ...(row.method === null ? {} : { method: row.method }),
  ...(row.minimum === null ? {} : { minimum: row.minimum }),
  ...(row.maximum === null ? {} : { maximum: row.maximum }),
  ...(row.fallback === null ? {} : { fallback: row.fallback }),
});

/** The providers and rules as an admin sees them. */
export async function describeRouting({
  database,
  providers,
}: RoutingContext): Promise<PaymentRouting> {
  const rows = await store.selectProviders(database);
  const used = await store.selectUsedProviders(database);
  return {
    providers: rows.map(({ name, is_enabled: isEnabled, position, version }) => ({
      name,
      isConfigured: providers.has(name),
      hasPayments: used.has(name),
      isEnabled,
      position,
      version,
    })),
    rules: (await store.selectRules(database)).map(({ serviceName, ...rule }) => ({
      ...toRule(rule),
      ...(serviceName ? { serviceName } : {}),
    })),
  };
}

/**
 * Switches a provider on or off or moves it. The last one that can be used stays on. Payments that
 * were opened with it continue. Throws RecordHasChanged, LastPaymentProvider.
 */
export async function saveProvider(
  context: RoutingContext,
  author: ChangeAuthor,
  saved: BodyOf<typeof savePaymentProvider>,
): Promise<PaymentRouting> {
  const { name, isEnabled, position, version } = saved;
  await inTransaction(context.database, async (transaction) => {
    const rows = await store.lockProviders(transaction);
    const known = rows.find((row) => row.name === name);
    if (known?.version !== version) throw new Refusal('RecordHasChanged');
    const isUsable = (row: store.ProviderRow) => row.is_enabled && context.providers.has(row.name);
    if (!isEnabled && !rows.some((row) => row.name !== name && isUsable(row)))
      throw new Refusal('LastPaymentProvider');
    await store.updateProvider(transaction, name, { is_enabled: isEnabled, position });
    await recordChange(transaction, author, {
      entity: 'paymentProvider',
      entityId: name,
      name,
      action: 'changed',
      before: { isEnabled: known.is_enabled, position: known.position },
      after: { isEnabled, position },
    });
  });
  return describeRouting(context);
}

/** The rows after one of them changed places with its neighbour. */
function withMoved<Row>(rows: readonly Row[], moved: Row, move: 'up' | 'down'): Row[] {
  const others = rows.filter((row) => row !== moved);
  const index = rows.indexOf(moved) + (move === 'up' ? -1 : 1);
  return others.toSpliced(Math.max(0, Math.min(others.length, index)), 0, moved);
}

/** A rule in the log of changes: it is called by what it is about. */
async function nameRule(transaction: Transaction, rule: store.RuleRow) {
  const { name } = await store.findScope(transaction, rule);
  return { entity: 'paymentRule', entityId: rule.id, name: name ?? undefined } as const;
}

/** Moves a rule; only those whose place changes are written. */
async function moveRule(
  transaction: Transaction,
  author: ChangeAuthor,
  { id, version }: { id: number; version: number | undefined },
  move: 'up' | 'down',
): Promise<void> {
  const rules = await store.lockRules(transaction);
  const moved = rules.find((rule) => rule.id === id);
  if (!moved) throw new Refusal('PaymentRuleNotFound');
  if (moved.version !== version) throw new Refusal('RecordHasChanged');
  const order = withMoved(rules, moved, move);
  for (const [index, rule] of order.entries())
    if (rule.position !== index + 1)
      await store.placeRule(transaction, rule.id, {
        position: index + 1,
        isMoved: rule === moved,
      });
  await recordChange(transaction, author, {
    ...(await nameRule(transaction, moved)),
    action: 'changed',
    before: { position: rules.indexOf(moved) + 1 },
    after: { position: order.indexOf(moved) + 1 },
  });
}

/** What the log of changes says of a rule. */
function valuesOf(row: store.RuleRow) {
  const { id: _id, version: _version, ...values } = toRule(row);
  return values;
}

const toContent = (saved: BodyOf<typeof savePaymentRule>): store.RuleContent => ({
  agency_id: saved.agencyId ?? null,
  service_id: saved.serviceId ?? null,
  method: saved.method ?? null,
  minimum: saved.minimum ?? null,
  maximum: saved.maximum ?? null,
  provider: saved.provider,
  fallback: saved.fallback ?? null,
});

/** The columns of a rule. Throws ValidationFailed. */
async function readRule(
  transaction: Transaction,
  saved: BodyOf<typeof savePaymentRule>,
): Promise<store.RuleContent> {
  const content = toContent(saved);
  const { service_id: serviceId, minimum, maximum } = content;
  const { isKnown } = await store.findScope(transaction, content);
  const wrong =
    (saved.fallback === saved.provider && 'fallback') ||
    (maximum !== null && maximum < (minimum ?? 0) && 'maximum') ||
    (!isKnown && (serviceId === null ? 'agencyId' : 'serviceId'));
  if (wrong) throw new ValidationRefusal([{ field: wrong, code: 'notAllowed' }]);
  return content;
}

async function changeRule(
  transaction: Transaction,
  author: ChangeAuthor,
  saved: BodyOf<typeof savePaymentRule>,
): Promise<void> {
  const known = saved.id === undefined ? undefined : await store.lockRule(transaction, saved.id);
  if (saved.id !== undefined && !known) throw new Refusal('PaymentRuleNotFound');
  if (known && known.version !== saved.version) throw new Refusal('RecordHasChanged');
  if (known && saved.isDeleted) {
    await store.deleteRule(transaction, known.id);
    await recordChange(transaction, author, {
      ...(await nameRule(transaction, known)),
      action: 'deleted',
      before: valuesOf(known),
    });
    return;
  }
  const content = await readRule(transaction, saved);
  const stored = known
    ? await store.updateRule(transaction, known.id, content)
    : await store.insertRule(transaction, content);
  await recordChange(transaction, author, {
    ...(await nameRule(transaction, stored)),
    action: known ? 'changed' : 'created',
    before: known && valuesOf(known),
    after: valuesOf(stored),
  });
}

/** Adds, changes, moves or deletes a rule. Throws PaymentRuleNotFound, RecordHasChanged, ValidationFailed. */
export async function saveRule(
  context: RoutingContext,
  author: ChangeAuthor,
  saved: BodyOf<typeof savePaymentRule>,
): Promise<PaymentRouting> {
  const { id, version, move } = saved;
  await inTransaction(context.database, (transaction) =>
    move && id !== undefined
      ? moveRule(transaction, author, { id, version }, move)
      : changeRule(transaction, author, saved),
  );
  return describeRouting(context);
}
