/** Parameters of calls that start a job and can notify the user by e-mail at its end. */
import i18next from 'i18next';

/** Query parameters: the request for an e-mail, and its language. */
export const emailNotificationParams = (wanted: boolean | undefined) => ({
  query: wanted === true ? { emailNotification: true } : {},
  headers: { 'Accept-Language': i18next.language },
});
