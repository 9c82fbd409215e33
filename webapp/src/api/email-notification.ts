/** Calls that start a job whose end somebody wants to hear of by e-mail. */
import i18next from 'i18next';

/** What such a call says besides: the wish, and the language of the message. */
export const emailNotificationParams = (wanted: boolean | undefined) => ({
  query: wanted === true ? { emailNotification: true } : {},
  headers: { 'Accept-Language': i18next.language },
});
