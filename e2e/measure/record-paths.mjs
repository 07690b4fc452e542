// The addresses of pages that show a record of the demo. A test says which record.

export const numberOf = async (api, test = () => true) => (await api.record(test)).requestNumber;
export const details = (test) => async (api) =>
  `/requests/request-details?request-number=${await numberOf(api, test)}`;
export const may = (action) => (record) => record.allowedActions.includes(action);
export const isTone = (tone) => (record) => record.statusTone === tone;
export const isWhole = (record) => record.attachments.length > 1;
