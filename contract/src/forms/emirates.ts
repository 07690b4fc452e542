/** The seven emirates, as answers of the kind `emirate` hold them. */
export const emirates = [
  'abuDhabi',
  'dubai',
  'sharjah',
  'ajman',
  'ummAlQuwain',
  'rasAlKhaimah',
  'fujairah',
] as const;
export type Emirate = (typeof emirates)[number];
