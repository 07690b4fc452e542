import { z } from 'zod';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { Identity } from '../core/identity.ts';

const text = z.string().max(1000).optional().catch(undefined);

// The claims of UAE PASS (docs.uaepass.ae, attributes list). Only two are required; the others are
// ignored where they cannot be read.
const profile = z.object({
  sub: z.string().min(1).max(200),
  userType: z
    .string()
    .trim()
    .toUpperCase()
    .pipe(z.enum(['SOP1', 'SOP2', 'SOP3'])),
  fullnameEN: text,
  fullnameAR: text,
  firstnameEN: text,
  firstnameAR: text,
  lastnameEN: text,
  lastnameAR: text,
  idn: text,
  mobile: text,
  email: text,
  nationalityEN: text,
});

// Full names arrive as parts with commas between them, some of them empty: "Ram,,,,Sharma,,".
const joinNames = (...parts: (string | undefined)[]): string =>
  parts
    .flatMap((part) => cleanText(part ?? '', false).split(/[,،\s]+/))
    .filter(Boolean)
    .join(' ')
    .slice(0, 200);

function readMobile(raw: string | undefined): string {
  const digits = (raw ?? '').replace(/\D/g, '').replace(/^00/, '');
  const own = /^(?:9710?|0)?(5\d{8})$/.exec(digits)?.[1];
  if (own) return `+971${own}`;
  return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : '';
}

// A number that the provider has verified is accepted even with a wrong check digit (design §8). Only
// its format is changed.
function readEmiratesId(raw: string | undefined): string {
  const digits = (raw ?? '').replace(/\D/g, '');
  // The number identifies an account, so a value that several people may have, such as zeros for
  // people without a card, is ignored. A real one is 784, then the year of birth.
  if (!/^784[1-9]\d{7,26}$/.test(digits)) return '';
  return digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4');
}

const readEmail = (raw: string | undefined): string =>
  /^[^\s@]+@[^\s@]+$/.test(raw?.trim() ?? '') ? cleanText(raw ?? '', false).slice(0, 254) : '';

// The codes of ISO 3166-1 in pairs: two letters, three letters.
const countryCodes =
  'AE ARE AD AND AF AFG AG ATG AL ALB AM ARM AO AGO AR ARG AT AUT AU AUS AZ AZE ' +
  'BA BIH BB BRB BD BGD BE BEL BF BFA BG BGR BH BHR BI BDI BJ BEN BN BRN BO BOL ' +
  'BR BRA BS BHS BT BTN BW BWA BY BLR BZ BLZ CA CAN CD COD CF CAF CG COG CH CHE ' +
  'CI CIV CL CHL CM CMR CN CHN CO COL CR CRI CU CUB CV CPV CY CYP CZ CZE DE DEU ' +
  'DJ DJI DK DNK DM DMA DO DOM DZ DZA EC ECU EE EST EG EGY ER ERI ES ESP ET ETH ' +
  'FI FIN FJ FJI FM FSM FR FRA GA GAB GB GBR GD GRD GE GEO GH GHA GM GMB GN GIN ' +
  'GQ GNQ GR GRC GT GTM GW GNB GY GUY HK HKG HN HND HR HRV HT HTI HU HUN ID IDN ' +
  'IE IRL IN IND IQ IRQ IR IRN IS ISL IT ITA JM JAM JO JOR JP JPN KE KEN KG KGZ ' +
  'KH KHM KI KIR KM COM KN KNA KP PRK KR KOR KW KWT KZ KAZ LA LAO LB LBN LC LCA ' +
  'LI LIE LK LKA LR LBR LS LSO LT LTU LU LUX LV LVA LY LBY MA MAR MC MCO MD MDA ' +
  'ME MNE MG MDG MH MHL MK MKD ML MLI MM MMR MN MNG MR MRT MT MLT MU MUS MV MDV ' +
  'MW MWI MX MEX MY MYS MZ MOZ NA NAM NE NER NG NGA NI NIC NL NLD NO NOR NP NPL ' +
  'NR NRU NZ NZL OM OMN PA PAN PE PER PG PNG PH PHL PK PAK PL POL PS PSE PT PRT ' +
  'PW PLW PY PRY QA QAT RO ROU RS SRB RU RUS RW RWA SA SAU SB SLB SC SYC SD SDN ' +
  'SE SWE SG SGP SI SVN SK SVK SL SLE SM SMR SN SEN SO SOM SR SUR SS SSD ST STP ' +
  'SV SLV SY SYR SZ SWZ TD TCD TG TGO TH THA TJ TJK TL TLS TM TKM TN TUN TO TON ' +
  'TR TUR TT TTO TV TUV TW TWN TZ TZA UA UKR UG UGA US USA UY URY UZ UZB VA VAT ' +
  'VC VCT VE VEN VN VNM VU VUT WS WSM YE YEM ZA ZAF ZM ZMB ZW ZWE';
const codes = countryCodes.split(' ');

// The code of two letters for one of three; empty for an unknown one.
function countryCode(threeLetters: string): string {
  const index = codes.indexOf(threeLetters.trim().toUpperCase());
  return index % 2 === 1 ? (codes[index - 1] ?? '') : '';
}

/** Reads the reply of UAE PASS's userinfo. Throws for a reply without a subject or a level. */
export function readUAEPassProfile(reply: unknown): Identity {
  const claims = profile.parse(reply);
  const found = {
    nameEn: joinNames(claims.fullnameEN) || joinNames(claims.firstnameEN, claims.lastnameEN),
    nameAr: joinNames(claims.fullnameAR) || joinNames(claims.firstnameAR, claims.lastnameAR),
    // The claims of a basic account are not verified.
    emiratesId: claims.userType === 'SOP1' ? '' : readEmiratesId(claims.idn),
    nationality: claims.userType === 'SOP1' ? '' : countryCode(claims.nationalityEN ?? ''),
    phoneNumber: readMobile(claims.mobile),
    email: readEmail(claims.email),
  };
  return {
    subject: claims.sub,
    level: claims.userType,
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')),
  };
}
