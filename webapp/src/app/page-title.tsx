import { useTranslation } from 'react-i18next';

/** R-030: product name followed by the page title; `route` is an id of the route table. */
export function PageTitle({ route }: { readonly route: string }) {
  const { t, i18n } = useTranslation('shell');
  const title = i18n.exists(`shell:title.${route}`) ? ` - ${t(`title.${route}`)}` : '';
  return <title>{`Annotarium${title}`}</title>;
}
