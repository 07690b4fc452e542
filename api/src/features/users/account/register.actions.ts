import type { Channel } from '@diwan/contract/people/accounts';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import {
  checkNewAccount,
  readAddress,
  readLicenceNumber,
  type AccountDetails,
  type CompanyDetails,
} from '@diwan/contract/people/new-account';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import { tell, type AccountContext } from '../notifications/account-mail.ts';
import {
  findAccounts,
  insertCompany,
  isAddressTaken,
  makeCompanyManager,
} from '../model/accounts.store.ts';
import { createPasswordUser } from '../model/password-users.actions.ts';
import { hashPassword } from '../users.actions.ts';

/** The address that somebody typed, as it is kept. */
export function addressOf(channel: Channel, typed: string): string {
  const address = readAddress(channel, typed);
  if (address === undefined)
    throw new ValidationRefusal([
      {
        field: 'address',
        code: typed.trim() === '' ? 'required' : channel === 'email' ? 'email' : 'mobile',
      },
    ]);
  return address;
}

async function deliver(
  context: AccountContext,
  channel: Channel,
  address: string,
  language: Language,
): Promise<void> {
  const code = context.codes.make();
  const owners = await findAccounts(
    context.database,
    channel === 'email' ? { email: address } : { phoneNumber: address },
  );
  // An address in use is put under the same limits by a code that nobody is told.
  if (!(await context.codes.renew('register', address, code))) return;
  if (owners.length > 0) await tell(context, { channel, address, language }, 'addressInUse');
  else await tell(context, { channel, address, language }, 'registerCode', { code });
}

/**
 * Sends a code to a new address; whoever has an account there is told so instead. The answer is
 * given before any of it is done, so it takes the same time for all.
 */
export function sendRegistrationCode(
  context: AccountContext,
  channel: Channel,
  typed: string,
  language: Language,
): void {
  void deliver(context, channel, addressOf(channel, typed), language).catch(context.report);
}

// One language is enough to register; where another is missing, what was given is shown.
function companyName({ nameAr, nameEn, nameUr }: CompanyDetails): LocalizedText {
  const [ar, en, ur] = [nameAr, nameEn, nameUr].map(
    (name) => name?.trim().replace(/\s+/g, ' ').normalize('NFC') || undefined,
  );
  const any = ar ?? en ?? ur ?? '';
  return { 'ar-EG': ar ?? any, 'en-US': en ?? any, 'ur-PK': ur ?? ar ?? any };
}

/**
 * Opens an account, and a company with it. That a username is taken is told only to who had the
 * code right, and costs a try. The reply is whose it is.
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
  const right = await context.codes.spend('register', address, code);
  if (!right) throw new Refusal('VerificationCodeWrong');
  const passwordHash = await hashPassword(details.password);
  return context.database.transaction().execute(async (transaction) => {
    if (await isAddressTaken(transaction, channel, address))
      throw new Refusal('VerificationCodeWrong');
    await right.consume(transaction);
    const userId = await createPasswordUser(transaction, {
      ...values,
      passwordHash,
      proved: channel,
    });
    if (company) {
      const companyId = await insertCompany(
        transaction,
        companyName(company),
        readLicenceNumber(company.licenceNumber),
      );
      if (companyId === undefined) throw new Refusal('CompanyLicenceInUse');
      await makeCompanyManager(transaction, userId, companyId);
    }
    return userId;
  });
}
