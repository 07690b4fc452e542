import type { LocalizedText } from '@diwan/contract/wire/languages';

/**
 * A person of the stand-in, in the two languages of UAE PASS. `claims` is what userinfo tells of
 * them, in the form of the real one. Every number and address is made up.
 */
export interface Persona {
  id: string;
  note: Pick<LocalizedText, 'ar-EG' | 'en-US'>;
  claims: {
    sub: string;
    uuid: string;
    userType: 'SOP1' | 'SOP2' | 'SOP3';
    mobile: string;
    email: string;
    firstnameEN: string;
    lastnameEN: string;
  } & Record<string, string>;
}

function persona(
  number: number,
  id: string,
  note: Pick<LocalizedText, 'ar-EG' | 'en-US'>,
  claims: Omit<Persona['claims'], 'sub' | 'uuid'>,
): Persona {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { id, note, claims: { sub: `UAEPASS/${uuid}`, uuid, ...claims } as Persona['claims'] };
}

export const personas: readonly Persona[] = [
  persona(
    1,
    'sara',
    {
      'ar-EG': 'مقيمة موثّقة، ولديها حساب «individual» في ديوان',
      'en-US': 'Verified resident who has the Diwan account “individual”',
    },
    {
      userType: 'SOP2',
      fullnameEN: 'Sara,,,,Al Demo,,',
      fullnameAR: 'سارة,,,,العرض,,',
      firstnameEN: 'Sara',
      lastnameEN: 'Al Demo',
      firstnameAR: 'سارة',
      lastnameAR: 'العرض',
      idn: '784190000000084',
      mobile: '971500000008',
      email: 'individual@example.com',
      gender: 'Female',
      nationalityEN: 'JOR',
      nationalityAR: 'الأردن',
      idType: 'ID',
    },
  ),
  persona(
    2,
    'imran',
    {
      'ar-EG': 'مقيم موثّق، جديد في ديوان',
      'en-US': 'Verified resident, new to Diwan',
    },
    {
      userType: 'SOP2',
      fullnameEN: 'Imran,Ahmed,,,Demo Siddiqui,,',
      fullnameAR: 'عمران,أحمد,,,صديقي العرض,,',
      firstnameEN: 'Imran',
      lastnameEN: 'Demo Siddiqui',
      firstnameAR: 'عمران',
      lastnameAR: 'صديقي العرض',
      idn: '784190000001017',
      mobile: '971500000101',
      email: 'imran@example.com',
      gender: 'Male',
      nationalityEN: 'PAK',
      nationalityAR: 'باكستان',
      idType: 'ID',
    },
  ),
  persona(
    3,
    'hessa',
    {
      'ar-EG': 'مواطنة موثّقة، جديدة في ديوان',
      'en-US': 'Verified citizen, new to Diwan',
    },
    {
      userType: 'SOP3',
      fullnameEN: 'Hessa,Rashid,,,Al Demo,,',
      fullnameAR: 'حصة,راشد,,,العرض,,',
      firstnameEN: 'Hessa',
      lastnameEN: 'Al Demo',
      firstnameAR: 'حصة',
      lastnameAR: 'العرض',
      idn: '784190000001025',
      mobile: '971500000102',
      email: 'hessa@example.com',
      gender: 'Female',
      nationalityEN: 'ARE',
      nationalityAR: 'الإمارات العربية المتحدة',
      idType: 'ID',
    },
  ),
  persona(
    4,
    'mariam',
    {
      'ar-EG': 'موظفة في ديوان، حسابها «employee»',
      'en-US': 'Employee whose Diwan account is “employee”',
    },
    {
      userType: 'SOP3',
      fullnameEN: 'Mariam,,,,Al Demo,,',
      fullnameAR: 'مريم,,,,العرض,,',
      firstnameEN: 'Mariam',
      lastnameEN: 'Al Demo',
      firstnameAR: 'مريم',
      lastnameAR: 'العرض',
      idn: '784190000000027',
      mobile: '971500000002',
      email: 'employee@example.com',
      gender: 'Female',
      nationalityEN: 'ARE',
      nationalityAR: 'الإمارات العربية المتحدة',
      idType: 'ID',
    },
  ),
  // A basic account has neither Emirates ID nor Arabic names.
  persona(
    5,
    'john',
    {
      'ar-EG': 'حساب أساسي غير موثّق، لا يكفي للدخول إلى ديوان',
      'en-US': 'Basic account that is not verified, which is not enough for Diwan',
    },
    {
      userType: 'SOP1',
      firstnameEN: 'John',
      lastnameEN: 'Demo',
      mobile: '971500000103',
      email: 'john@example.com',
    },
  ),
];

/** The name that the page shows, in its language where the account has it. */
export function nameOf({ claims }: Persona, isArabic: boolean): string {
  return (
    isArabic
      ? [claims.firstnameAR ?? claims.firstnameEN, claims.lastnameAR ?? claims.lastnameEN]
      : [claims.firstnameEN, claims.lastnameEN]
  ).join(' ');
}
