// Reads the e-invoices that we write, and checks what the schema of UBL 2.1 asks of their elements.

export interface XmlNode {
  name: string;
  text: string;
  attributes: Record<string, string>;
  children: XmlNode[];
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );

/** A strict reader of the XML that we write: every element must be closed by its own name. */
export function readXml(xml: string): XmlNode {
  const root: XmlNode = { name: '', text: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, declaration, close, name, attributes = '', text] of xml.matchAll(
    /(<\?[^>]*\?>)|<(\/?)([\w:]+)((?:\s[\w:]+="[^"<]*")*)>|([^<>]+)/g,
  )) {
    const current = open.at(-1) ?? root;
    if (text !== undefined) current.text += text;
    else if (close) {
      if (open.pop()?.name !== name) throw new Error(`${name} is not closed in order`);
    } else if (name && !declaration) {
      const made = { name, text: '', children: [], attributes: attributesOf(attributes) };
      current.children.push(made);
      open.push(made);
    }
  }
  const isWhole = open.length === 1 && root.children.length === 1;
  const [only] = root.children;
  if (!only || !isWhole) throw new Error('not one root');
  return only;
}

/** The elements at a path of local names. */
export const find = (node: XmlNode, path: string): XmlNode[] =>
  path
    .split('/')
    .reduce<XmlNode[]>(
      (nodes, step) =>
        nodes.flatMap(({ children }) => children.filter(({ name }) => name.endsWith(`:${step}`))),
      [node],
    );
/** The text at a path; empty where there is none. */
export const text = (node: XmlNode, path: string): string => find(node, path)[0]?.text.trim() ?? '';
export const has = (node: XmlNode, path: string): boolean => text(node, path) !== '';
export const fils = (node: XmlNode, path: string): number =>
  Math.round(Number(text(node, path)) * 100);
export const sum = (nodes: readonly XmlNode[], path: string): number =>
  nodes.reduce((total, node) => total + fils(node, path), 0);
/** Every element of a name, at any depth. */
export const every = (node: XmlNode, local: string): XmlNode[] =>
  node.children.flatMap((child) => [
    ...(child.name.endsWith(`:${local}`) ? [child] : []),
    ...every(child, local),
  ]);

const localName = ({ name }: XmlNode): string => name.split(':').at(-1) ?? '';

const sides = 'OrderReference BillingReference AccountingSupplierParty AccountingCustomerParty';
const header = 'CustomizationID ProfileID ProfileExecutionID ID UUID IssueDate';
const totals = 'PaymentMeans AllowanceCharge TaxTotal LegalMonetaryTotal';
const taxCategory = 'ID Percent TaxExemptionReasonCode TaxScheme';
/** The parts of the elements that we write, in the order of the schema of UBL 2.1. */
const orders: Record<string, string> = {
  Invoice: `${header} InvoiceTypeCode TaxPointDate DocumentCurrencyCode ${sides} ${totals} InvoiceLine`,
  CreditNote: `${header} CreditNoteTypeCode DocumentCurrencyCode DiscrepancyResponse ${sides} ${totals} CreditNoteLine`,
  Party: 'EndpointID PartyIdentification PostalAddress PartyTaxScheme PartyLegalEntity',
  PostalAddress: 'StreetName CityName CountrySubentity Country',
  PartyTaxScheme: 'CompanyID TaxScheme',
  PartyLegalEntity: 'RegistrationName CompanyID',
  AllowanceCharge:
    'ChargeIndicator AllowanceChargeReasonCode AllowanceChargeReason Amount BaseAmount TaxCategory',
  TaxTotal: 'TaxAmount TaxIncludedIndicator TaxSubtotal',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  TaxCategory: taxCategory,
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount AllowanceTotalAmount PrepaidAmount PayableAmount',
  InvoiceLine: 'ID InvoicedQuantity LineExtensionAmount Item Price ItemPriceExtension',
  CreditNoteLine: 'ID CreditedQuantity LineExtensionAmount Item Price ItemPriceExtension',
  Item: 'Description Name AdditionalItemIdentification CommodityClassification ClassifiedTaxCategory',
  ClassifiedTaxCategory: taxCategory,
  Price: 'PriceAmount BaseQuantity AllowanceCharge',
  ItemPriceExtension: 'Amount TaxTotal',
};

/** Whether the parts of all elements follow each other as in the schema. */
export function isInOrder(node: XmlNode): boolean {
  const { children } = node;
  const names = orders[localName(node)]?.split(' ') ?? [];
  const places = children.map((child) => names.indexOf(localName(child)));
  const isOrdered = places.every((place, index) => place >= (places[index - 1] ?? 0));
  return (isOrdered || children.length <= 1) && children.every(isInOrder);
}

const repeated = [
  'BillingReference',
  'AllowanceCharge',
  'TaxSubtotal',
  'InvoiceLine',
  'CreditNoteLine',
];
/** Whether elements occur once beside each other, except those that a document has several of. */
export function hasEachOnce({ children }: XmlNode): boolean {
  const single = children.map(localName).filter((name) => !repeated.includes(name));
  return new Set(single).size === single.length && children.every(hasEachOnce);
}

/** Whether no element is empty. */
export const isFilled = ({ children, text: own }: XmlNode): boolean =>
  children.length === 0 ? own.trim() !== '' : children.every(isFilled);

/** Every element of money, at any depth. */
export const amountsOf = (node: XmlNode): XmlNode[] =>
  node.children.flatMap((child) => [
    ...(child.name.endsWith('Amount') ? [child] : []),
    ...amountsOf(child),
  ]);
