import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { PaymentMethod } from '@diwan/contract/requests/payments';
import type { Language } from '@diwan/contract/wire/languages';

/** The accounts of the product at the provider. */
export const accounts = ['paypro', 'reserve'] as const;
export type AccountName = (typeof accounts)[number];

/** What goes wrong with a payment, as the visitor or the page of the switches chooses. */
export const faults = [
  'none',
  'threeDSecure',
  'messageLost',
  'messageDoubled',
  'messageLate',
  'messageFirst',
  'wrongAmount',
  'wrongCurrency',
  'chargedThenError',
  'chargedTwice',
  'reportedFailed',
  'authorisedOnly',
  'refundRefused',
] as const;
export type Fault = (typeof faults)[number];

export type EventKind = 'authorised' | 'paid' | 'declined' | 'cancelled';

/** Amounts are in fils, times in ISO 8601. */
interface SandboxEvent {
  id: string;
  kind: EventKind;
  amount: number;
  currency: string;
  occurredAt: string;
}

export interface SandboxRefund {
  id: string;
  idempotencyKey: string;
  amount: number;
  currency: string;
  state: 'succeeded' | 'refused';
  createdAt: string;
}

export interface SandboxPayment {
  account: AccountName;
  merchantReference: string;
  /** The provider's own id, which the address of the card page holds. */
  providerReference: string;
  amount: number;
  currency: string;
  description: string;
  language: Language;
  returnUrl: string;
  /** Empty where the product wants no messages. */
  messageUrl: string;
  /** Missing in the journals of earlier versions. */
  method?: PaymentMethod;
  status: 'open' | EventKind;
  fault: Fault;
  /** Whether the visitor is at the step of the bank (3-D Secure). */
  isAtBank: boolean;
  createdAt: string;
  events: readonly SandboxEvent[];
  refunds: readonly SandboxRefund[];
}

/** A message to the product. `dueAt` in milliseconds. */
export interface SandboxMessage {
  id: number;
  account: AccountName;
  url: string;
  body: string;
  dueAt: number;
  attempts: number;
  /** Delivered, or given up. */
  isOver: boolean;
}

export interface SandboxSwitches {
  account: AccountName;
  isSlow: boolean;
  isDown: boolean;
  hasSettlementDifference: boolean;
  fault: Fault;
}

/** What changes together: all of it survives a crash, or nothing. */
interface Change {
  payment?: SandboxPayment;
  messages?: readonly SandboxMessage[];
  switches?: SandboxSwitches;
}

const keyOf = (account: AccountName, merchantReference: string) =>
  `${account}:${merchantReference}`;

/**
 * The store of the payment sandbox: a separate file with one JSON line for each change, and its
 * content in memory. A line that a crash cut off at the end of the file is ignored.
 */
export class PaymentJournal {
  #file: FileHandle | undefined;
  readonly #payments = new Map<string, SandboxPayment>();
  readonly #references = new Map<string, string>();
  readonly #messages = new Map<number, SandboxMessage>();
  readonly #switches = new Map<AccountName, SandboxSwitches>();
  #lastMessage = 0;
  #lines: string[] = [];
  #written: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor() {
    for (const account of accounts)
      this.#switches.set(account, {
        account,
        isSlow: false,
        isDown: false,
        hasSettlementDifference: false,
        fault: 'none',
      });
  }

  /**
   * Reads the file of a folder, and first writes it anew with what is still needed. One process at a
   * time may have a file open.
   */
  async open(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'payments.jsonl');
    for (const change of await readChanges(path)) this.#apply(change);
    const newFile = await open(`${path}.new`, 'w', 0o600);
    await newFile.writeFile(this.#snapshot().map(toLine).join(''));
    await newFile.datasync();
    await newFile.close();
    await rename(`${path}.new`, path);
    this.#file = await open(path, 'a');
  }

  find(providerReference: string): SandboxPayment | undefined {
    return this.#payments.get(providerReference);
  }

  findByMerchant(account: AccountName, merchantReference: string): SandboxPayment | undefined {
    return this.find(this.#references.get(keyOf(account, merchantReference)) ?? '');
  }

  /** All payments, the oldest first. */
  payments(): SandboxPayment[] {
    return [...this.#payments.values()];
  }

  /** The messages that are neither delivered nor given up. */
  openMessages(): SandboxMessage[] {
    return [...this.#messages.values()];
  }

  switchesOf(account: AccountName): SandboxSwitches {
    return this.#switches.get(account) as SandboxSwitches;
  }

  nextMessageId(): number {
    this.#lastMessage += 1;
    return this.#lastMessage;
  }

  /** Changes the content in memory; `settled` says when the file has it. */
  save(change: Change): void {
    this.#apply(change);
    this.#lines.push(toLine(change));
    this.#next ??= this.#written.then(() => this.#write());
    // Who waits for `settled` hears of a failure.
    this.#next.catch(() => undefined);
  }

  /** Resolves when every change so far is in the file. Throws when it could not be written. */
  async settled(): Promise<void> {
    await (this.#next ?? this.#written);
  }

  /** Everything that is stored, as the fewest changes. */
  #snapshot(): Change[] {
    return [
      ...[...this.#switches.values()].map((switches) => ({ switches })),
      ...this.payments().map((payment) => ({ payment })),
      { messages: this.openMessages() },
    ];
  }

  async close(): Promise<void> {
    await this.settled();
    await this.#file?.close();
  }

  // Changes that came while the file was written go into it together.
  async #write(): Promise<void> {
    this.#next = undefined;
    const write = async (lines: readonly string[]) => {
      await this.#file?.appendFile(lines.join(''));
      await this.#file?.datasync();
    };
    this.#written = write(this.#lines.splice(0));
    await this.#written;
  }

  #apply({ payment, messages = [], switches }: Change): void {
    if (payment) {
      this.#payments.set(payment.providerReference, payment);
      this.#references.set(
        keyOf(payment.account, payment.merchantReference),
        payment.providerReference,
      );
    }
    for (const message of messages) {
      this.#lastMessage = Math.max(this.#lastMessage, message.id);
      if (message.isOver) this.#messages.delete(message.id);
      else this.#messages.set(message.id, message);
    }
    if (switches) this.#switches.set(switches.account, switches);
  }
}

const toLine = (change: Change) => `${JSON.stringify(change)}\n`;

async function readChanges(path: string): Promise<Change[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // The last part is empty, or a line that was cut off.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Change;
    } catch {
      throw new Error(`${path}: line ${index + 1} cannot be read`);
    }
  });
}
