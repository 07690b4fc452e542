import { hashPassword } from '#platform/auth/password-hash.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  checkNewAccount,
  findContactAddress,
  normalizeLicenceNumber,
  type AccountDetails,
  type CompanyDetails,
} from '@diwan/contract/people/new-account';
import type { Channel } from '@diwan/contract/wire/channels';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import {
  findAccounts,
  insertCompany,
  isAddressTaken,
  makeCompanyManager,
} from '../model/accounts.store.ts';
import { createUser } from '../model/create-user.actions.ts';
import { sendAccountMessage, type AccountContext } from '../notifications/account-messages.ts';

/** Normalizes a typed address as it is stored. Throws a ValidationRefusal. */
export function parseAddress(channel: Channel, typed: string): string {
  const address = findContactAddress(channel, typed);
  if (address === undefined)
    throw new ValidationRefusal([
      {
        field: 'address',
        code: typed.trim() === '' ? 'required' : channel === 'email' ? 'email' : 'mobile',
      },
    ]);
  return address;
}

async function deliverCode(
  context: AccountContext,
  channel: Channel,
  address: string,
  language: Language,
): Promise<void> {
  const code = context.codes.generate();
  const owners = await findAccounts(
    context.database,
    channel === 'email' ? { email: address } : { phoneNumber: address },
  );
  // An address in use counts against the same limits: its code is never sent.
  if (!(await context.codes.issue('register', address, code))) return;
  if (owners.length > 0)
    await sendAccountMessage(context, { channel, address, language }, 'addressInUse');
  else await sendAccountMessage(context, { channel, address, language }, 'registerCode', { code });
}

/**
 * Sends a code to a new address, or a message that the address already has an account. The reply
 * comes first, so it takes the same time for both.
 */
export function sendRegistrationCode(
  context: AccountContext,
  channel: Channel,
  typed: string,
  language: Language,
): void {
  void deliverCode(context, channel, parseAddress(channel, typed), language).catch(context.report);
}

// A company registers with a name in one language, which the other languages show too.
function companyName({ nameAr, nameEn, nameUr }: CompanyDetails): LocalizedText {
  const [ar, en, ur] = [nameAr, nameEn, nameUr].map(
    (name) => name?.trim().replace(/\s+/g, ' ').normalize('NFC') || undefined,
  );
  const any = ar ?? en ?? ur ?? '';
  return { 'ar-EG': ar ?? any, 'en-US': en ?? any, 'ur-PK': ur ?? ar ?? any };
}

/**
 * Creates an account, with a company where one is given, and returns the id of the user. Only a
 * caller with a correct code learns that a username is taken, and that uses up an attempt.
 */
export async function register(
  context: AccountContext,
  details: AccountDetails & { verification: { channel: Channel; code: string } },
): Promise<string> {
  const { values, issues } = checkNewAccount(details);
  if (issues.length > 0) throw new ValidationRefusal(issues);
  const {
    verification: { channel, code },
    company,
  } = details;
  const address = channel === 'email' ? values.email : values.phoneNumber;
  const verified = await context.codes.verify('register', address, code);
  if (!verified) throw new Refusal('VerificationCodeWrong');
  const passwordHash = await hashPassword(details.password);
  return inTransaction(context.database, async (transaction) => {
    if (await isAddressTaken(transaction, channel, address))
      throw new Refusal('VerificationCodeWrong');
    await verified.consume(transaction);
    const userId = await createUser(transaction, {
      ...values,
      passwordHash,
      verifiedChannel: channel,
    });
    if (company) {
      const companyId = await insertCompany(
        transaction,
        companyName(company),
        normalizeLicenceNumber(company.licenceNumber),
      );
      if (companyId === undefined) throw new Refusal('CompanyLicenceInUse');
      await makeCompanyManager(transaction, userId, companyId);
    }
    return userId;
  });
}
