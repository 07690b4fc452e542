// Apart from the stages: the first screen needs no more of them, and not the checks of a form.

/** The fragment with which a new request starts: it opens the first stage that is not complete. */
export const startFragment = 'start';
/** The fragment of the last stage. */
export const reviewFragment = 'review';
