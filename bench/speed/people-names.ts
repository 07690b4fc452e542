// Typical names of the Emirates in three scripts, the frequent ones first, combined from common
// parts.
export const arabicNames = {
  given: (
    'محمد أحمد علي فاطمة عبدالله مريم خالد عائشة سلطان نورة راشد حصة سعيد شيخة حمد موزة سيف ' +
    'آمنة منصور لطيفة يوسف عبير عمر هدى حسن زينب إبراهيم سارة ماجد ليلى طارق رؤى هزاع ميثاء ' +
    'زايد غاية ناصر عفراء جاسم شمسة'
  ).split(' '),
  family: (
    'المنصوري الكعبي الشامسي المزروعي الظاهري النعيمي الحمادي الزعابي البلوشي السويدي ' +
    'المهيري الكتبي الهاشمي العامري المرزوقي الفلاسي القبيسي الرميثي الطنيجي الجابري ' +
    'الأنصاري حداد خوري النجار العبيدي الشحي الحوسني اليماحي الدرمكي السعدي'
  ).split(' '),
};
export const latinNames = {
  given: (
    'Mohammed Ahmed Ali Fatima John Maria Rajesh Priya Omar Sara Joseph Anjali David Aisha ' +
    'Suresh Grace Hassan Lakshmi Michael Noor Vijay Rosa Peter Deepa Yusuf Elena Arun Chen ' +
    'Anna Kofi Mei Carlos Nadia Samuel Leila Thomas Hana Igor Zara Felix'
  ).split(' '),
  family: (
    'Khan Kumar Singh Santos Nair Rahman Ali Fernandes Reyes Menon Thomas Hussain Sharma ' +
    'Garcia Pillai Cruz Joseph Iyer Smith Patel Das Okafor Ivanov Haddad Mathew Silva ' +
    'Mendoza Perera Wang Novak'
  ).split(' '),
};
export const urduNames = {
  given:
    'محمد عائشہ بلال زینب عمران صائمہ کاشف نادیہ فیصل ثنا طاہر شازیہ وقار مہوش اقبال رابعہ حمزہ کنول یاسر صبا'.split(
      ' ',
    ),
  family: 'خان بٹ چوہدری ملک قریشی شیخ راجپوت گیلانی نقوی مرزا بھٹی اعوان جٹ میمن عباسی'.split(' '),
};
/**
 * Words that thousands of old requests contain and no recent ones, and an Urdu word of some
 * requests.
 */
export const oldWords = { many: 'الغابرون', some: 'گزشتگان' };
/** The name of about forty people in a million. */
export const rareName = 'Quillfeather';
